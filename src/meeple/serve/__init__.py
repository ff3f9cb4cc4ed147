"""The web page: play, watch, replay and review in the browser. `meeple serve` starts it; docs/serve.md tells how it is built."""
