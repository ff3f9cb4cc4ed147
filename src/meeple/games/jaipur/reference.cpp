// The yardstick: the random games of core/playout.py in C++, move for move, to say what the compiled Python costs.
//
//     g++ -O3 -march=native -std=c++17 reference.cpp -o reference && ./reference SEED FIRST GAMES
//
// Variant `round`, action set 25,499, official rules. Tables, state, algorithm and names are those of components.py,
// multisets.py, actions.py, state.py and rules.py, where the rules are explained; comments here are on C++.
// It prints one line of JSON, whose checksum agrees only if every action of every game does.

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// ---- components.py -------------------------------------------------------------------------------------------------

constexpr int GOODS = 6, CAMEL = 6, KINDS = 7, BONUS_PILES = 3, DECK = 52, NOBODY = -1;
constexpr int HAND_LIMIT = 7, MARKET_SIZE = 5, CAMEL_TOKEN = 5, EMPTY_PILES_TO_END = 3, ROUND_TURN_CAP = 1000;
enum End : int8_t { PLAYING = 0, END_PILES = 1, END_MARKET = 2, END_CAP = 5 };

constexpr int8_t CARDS_OF[KINDS] = {6, 6, 6, 8, 8, 10, 11};
constexpr int8_t LEAST_SOLD[GOODS] = {2, 2, 2, 1, 1, 1};
constexpr int8_t TOKENS_OF[GOODS] = {5, 5, 5, 7, 7, 9};
constexpr int8_t TOKEN[GOODS][10] = {  // [good][left]: value of the top token while `left` remain
    {0, 5, 5, 5, 7, 7}, {0, 5, 5, 5, 6, 6}, {0, 5, 5, 5, 5, 5},
    {0, 1, 1, 2, 2, 3, 3, 5}, {0, 1, 1, 2, 2, 3, 3, 5}, {0, 1, 1, 1, 1, 1, 1, 2, 3, 4}};
constexpr int8_t BONUS_OF[BONUS_PILES] = {7, 6, 5};
constexpr int8_t BONUS_SORTED[BONUS_PILES][7] = {{1, 1, 2, 2, 2, 3, 3}, {4, 4, 5, 5, 6, 6}, {8, 8, 9, 10, 10}};

// ---- multisets.py and actions.py: tables, filled before the clock starts -------------------------------------------

constexpr int ROWS = 1716;      // multisets of up to seven goods
constexpr int SMALL = 462;      // those of up to five: they come first
constexpr int FITTING = 46362;  // pairs of a multiset and a small one that fits into it
constexpr int CAMELS = 6, SELL = 7, SALES = 36, EXCHANGE = SELL + SALES, EXCHANGES = 25456, MAX_LEGAL = 167;

using Goods = std::array<int8_t, GOODS>;  // cards of each good
static std::array<Goods, ROWS> MULTISETS;
static int8_t SIZE[ROWS], KINDS_IN[ROWS], SALE_GOOD[SALES], SALE_CARDS[SALES];
static int16_t FIRST_ROW[HAND_LIMIT + 1], BEFORE[GOODS - 1][HAND_LIMIT + 1][HAND_LIMIT + 1], SUBSETS[FITTING];
static int32_t SUBSET_START[ROWS][7], SALE_BASE[GOODS], EXCHANGE_BASE[SMALL][6];
static int16_t EXCHANGE_RANK[64][SMALL];  // -1 where a kind would be on both sides
static int16_t EXCHANGE_TAKEN[EXCHANGES], EXCHANGE_GIVEN[EXCHANGES];

// In the order of itertools.combinations_with_replacement: the most of the first good first.
static void list_multisets(Goods cards, int good, int left, int& row) {
    if (good < GOODS)
        for (cards[good] = left; cards[good] >= 0; --cards[good]) list_multisets(cards, good + 1, left - cards[good], row);
    else if (left == 0)
        MULTISETS[row++] = cards;
}

static void build_multisets() {
    int rows = 0, fitting = 0;
    for (int size = 0; size <= HAND_LIMIT; ++size) list_multisets({}, 0, size, rows);
    for (int row = 0; row < ROWS; ++row)
        for (int good = 0; good < GOODS; ++good) {
            SIZE[row] += MULTISETS[row][good];
            KINDS_IN[row] |= (MULTISETS[row][good] > 0) << good;
        }
    for (int row = ROWS - 1; row >= 0; --row) FIRST_ROW[SIZE[row]] = row;
    const auto find = [](const Goods& cards) { return std::find(MULTISETS.begin(), MULTISETS.end(), cards) - MULTISETS.begin(); };
    for (int good = 0; good < GOODS - 1; ++good)
        for (int left = 0; left <= HAND_LIMIT; ++left)
            for (int n = 0; n <= left; ++n) {
                Goods first{}, here{};
                first[good] = left;
                here[good] = n;
                here[good + 1] = left - n;
                BEFORE[good][left][n] = find(here) - find(first);
            }
    for (int row = 0; row < ROWS; ++row) {
        for (int size = 0, small = 0; size <= 5; ++size) {
            SUBSET_START[row][size] = fitting;
            for (; SIZE[small] == size; ++small) {
                bool fits = true;
                for (int good = 0; good < GOODS; ++good) fits &= MULTISETS[small][good] <= MULTISETS[row][good];
                if (fits) SUBSETS[fitting++] = small;
            }
        }
        SUBSET_START[row][6] = fitting;
    }
    assert(rows == ROWS && fitting == FITTING);
}

static void build_actions() {
    int sales = 0, exchanges = 0;
    for (int good = 0; good < GOODS; ++good) {
        SALE_BASE[good] = sales - LEAST_SOLD[good];
        for (int cards = LEAST_SOLD[good]; cards <= std::min<int>(CARDS_OF[good], HAND_LIMIT); ++cards) {
            SALE_GOOD[sales] = good;
            SALE_CARDS[sales++] = cards;
        }
    }
    for (int mask = 1; mask < 64; ++mask) {
        int next[6] = {};  // rank of the next multiset of each size
        for (int row = 0; row < SMALL; ++row) EXCHANGE_RANK[mask][row] = KINDS_IN[row] & mask ? -1 : next[SIZE[row]]++;
    }
    for (int taken = 0; taken < SMALL; ++taken)
        for (int camels = 0; camels <= SIZE[taken] && SIZE[taken] >= 2; ++camels) {
            EXCHANGE_BASE[taken][camels] = exchanges;
            for (int given = 0; given < SMALL; ++given) {
                if (SIZE[given] != SIZE[taken] - camels || (KINDS_IN[given] & KINDS_IN[taken])) continue;
                EXCHANGE_TAKEN[exchanges] = taken;
                EXCHANGE_GIVEN[exchanges++] = given;
            }
        }
    assert(sales == SALES && exchanges == EXCHANGES);
}

static int row_of(const int8_t* cards) {
    int left = 0;
    for (int good = 0; good < GOODS; ++good) left += cards[good];
    int row = FIRST_ROW[left];
    for (int good = 0; good < GOODS - 1; ++good) {
        row += BEFORE[good][left][cards[good]];
        left -= cards[good];
    }
    return row;
}

// ---- core/rng.py ---------------------------------------------------------------------------------------------------

constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15, M1 = 0xBF58476D1CE4E5B9, M2 = 0x94D049BB133111EB;

static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * M1;
    word = (word ^ (word >> 27)) * M2;
    return word ^ (word >> 31);
}

static int draw(uint64_t& stream, int n) { return int(((mix(stream += GOLDEN) >> 32) * uint64_t(n)) >> 32); }

static uint64_t derive(uint64_t seed, uint64_t index) { return mix(mix(seed + GOLDEN) ^ (index * GOLDEN + M1)); }

static void shuffle(int8_t* cards, int n, uint64_t& stream) {
    for (int i = n - 1; i > 0; --i) std::swap(cards[i], cards[draw(stream, i + 1)]);
}

// ---- state.py ------------------------------------------------------------------------------------------------------

struct State {  // the record, less what only matches and the other action sets use
    uint64_t luck;
    int32_t ply, turn;
    int8_t seat, end;
    int8_t market[KINDS], tokens_left[GOODS];
    int8_t bonus_left[BONUS_PILES], bonus[BONUS_PILES][7], bonus_owner[BONUS_PILES][7];
    int8_t deck[DECK], deck_left;
    int8_t hand[2][GOODS], herd[2], known[2][GOODS];
    int16_t goods_points[2], bonus_points[2];
    int8_t goods_tokens[2], bonus_tokens[2], camel_token;
};

static int draw_card(State& s) {
    const int card = s.deck[--s.deck_left];
    s.deck[s.deck_left] = NOBODY;
    return card;
}

static bool refill(State& s) {
    int missing = MARKET_SIZE;
    for (int kind = 0; kind < KINDS; ++kind) missing -= s.market[kind];
    for (; missing > 0 && s.deck_left > 0; --missing) ++s.market[draw_card(s)];
    return missing == 0;
}

static void deal(State& s, uint64_t seed) {
    s = State{};
    s.luck = derive(seed, 0);
    s.camel_token = NOBODY;
    s.market[CAMEL] = 3;
    std::copy_n(TOKENS_OF, GOODS, s.tokens_left);
    for (int pile = 0; pile < BONUS_PILES; ++pile) {
        s.bonus_left[pile] = BONUS_OF[pile];
        std::copy_n(BONUS_SORTED[pile], 7, s.bonus[pile]);
        std::fill_n(s.bonus_owner[pile], 7, int8_t(NOBODY));
        shuffle(s.bonus[pile], BONUS_OF[pile], s.luck);
    }
    for (int kind = 0; kind < KINDS; ++kind)
        for (int i = kind == CAMEL ? 3 : 0; i < CARDS_OF[kind]; ++i) s.deck[s.deck_left++] = kind;
    shuffle(s.deck, DECK, s.luck);
    for (int i = 0; i < 10; ++i) {
        const int seat = i % 2, card = draw_card(s);
        ++(card == CAMEL ? s.herd[seat] : s.hand[seat][card]);
    }
    refill(s);
}

// ---- rules.py ------------------------------------------------------------------------------------------------------

// In the order of rules.py, since actions are drawn by their place. `out` has room for MAX_LEGAL + 1.
static int legal(const State& s, int32_t* out) {
    const int8_t* hand = s.hand[s.seat];
    std::ptrdiff_t n = 0;  // as wide as an address: the inner loop has nothing to extend
    int room = HAND_LIMIT;
    for (int good = 0; good < GOODS; ++good) room -= hand[good];
    for (int good = 0; good < GOODS && room > 0; ++good)
        if (s.market[good] > 0) out[n++] = good;
    if (s.market[CAMEL] > 0) out[n++] = CAMELS;
    for (int good = 0; good < GOODS; ++good)
        for (int cards = LEAST_SOLD[good], held = hand[good]; cards <= held; ++cards)
            out[n++] = SELL + SALE_BASE[good] + cards;

    const int camels_most = std::min<int>(s.herd[s.seat], room);
    const int32_t* takable = SUBSET_START[row_of(s.market)];
    const int32_t* givable = SUBSET_START[row_of(hand)];
    for (int i = takable[2], stop = takable[6]; i < stop; ++i) {
        const int taken = SUBSETS[i], cards = SIZE[taken], most = std::min(camels_most, cards);
        const int16_t* rank_of = EXCHANGE_RANK[KINDS_IN[taken]];
        for (int camels = 0; camels <= most; ++camels) {
            const int base = EXCHANGE + EXCHANGE_BASE[taken][camels];
            const int16_t* const end = SUBSETS + givable[cards - camels + 1];
            for (const int16_t* given = SUBSETS + givable[cards - camels]; given < end; ++given) {
                // Written either way, kept if no kind is on both sides: a branch here would be mispredicted too often.
                const int rank = rank_of[*given];
                out[n] = base + rank;
                n += rank >= 0;
            }
        }
    }
    return int(n);
}

static End take(State& s, int action) {
    if (action == CAMELS) {
        s.herd[s.seat] += s.market[CAMEL];
        s.market[CAMEL] = 0;
    } else {
        --s.market[action];
        ++s.hand[s.seat][action];
        ++s.known[s.seat][action];
    }
    return refill(s) ? PLAYING : END_MARKET;
}

static End sell(State& s, int good, int cards) {
    const int seat = s.seat, tokens = std::min<int>(cards, s.tokens_left[good]), pile = std::min(cards, 5) - 3;
    s.hand[seat][good] -= cards;
    s.known[seat][good] = std::max(0, s.known[seat][good] - cards);
    for (int i = 0; i < tokens; ++i) s.goods_points[seat] += TOKEN[good][s.tokens_left[good]--];
    s.goods_tokens[seat] += tokens;
    if (pile >= 0 && s.bonus_left[pile] > 0) {
        const int top = --s.bonus_left[pile];
        s.bonus_owner[pile][top] = seat;
        s.bonus_points[seat] += s.bonus[pile][top];
        ++s.bonus_tokens[seat];
    }
    return std::count(s.tokens_left, s.tokens_left + GOODS, 0) >= EMPTY_PILES_TO_END ? END_PILES : PLAYING;
}

static End exchange(State& s, int number) {
    const int taken = EXCHANGE_TAKEN[number], given = EXCHANGE_GIVEN[number], camels = SIZE[taken] - SIZE[given];
    s.herd[s.seat] -= camels;
    s.market[CAMEL] += camels;
    for (int good = 0; good < GOODS; ++good) {
        const int change = MULTISETS[taken][good] - MULTISETS[given][good];
        s.market[good] -= change;
        s.hand[s.seat][good] += change;
        s.known[s.seat][good] = std::max(0, s.known[s.seat][good] + change);
    }
    return PLAYING;
}

static void apply(State& s, int action) {
    const End end = action >= EXCHANGE ? exchange(s, action - EXCHANGE)
                    : action >= SELL   ? sell(s, SALE_GOOD[action - SELL], SALE_CARDS[action - SELL])
                                       : take(s, action);
    ++s.ply;
    ++s.turn;
    s.seat = 1 - s.seat;
    if (end != PLAYING && s.herd[0] != s.herd[1]) s.camel_token = s.herd[0] > s.herd[1] ? 0 : 1;
    s.end = end == PLAYING && s.turn >= ROUND_TURN_CAP ? END_CAP : end;
}

static int points(const State& s, int seat) {
    return s.goods_points[seat] + s.bonus_points[seat] + (s.camel_token == seat ? CAMEL_TOKEN : 0);
}

static double outcome(const State& s) {  // of seat 0; the rest of the win is seat 1's
    int ahead = points(s, 0) - points(s, 1);
    if (ahead == 0) ahead = s.bonus_tokens[0] - s.bonus_tokens[1];
    if (ahead == 0) ahead = s.goods_tokens[0] - s.goods_tokens[1];
    return ahead == 0 || s.end == END_CAP ? 0.5 : ahead > 0 ? 1.0 : 0.0;
}

// ---- core/playout.py -----------------------------------------------------------------------------------------------

struct Totals {  // over all games
    int64_t plies, legal_sum, legal_most, choices, scores;
    uint64_t checksum;
    double outcome;
};

static void random_game(State& s, uint64_t seed, Totals& totals) {
    int32_t out[MAX_LEGAL + 1];
    uint64_t stream = derive(seed, 2), checksum = 0;
    int64_t legal_sum = 0, legal_most = 0, choices = 0;
    deal(s, seed);
    while (s.end == PLAYING) {
        const int n = legal(s, out), action = out[draw(stream, n)];
        checksum = mix(checksum ^ uint64_t(action));
        legal_sum += n;
        legal_most = std::max<int64_t>(legal_most, n);
        choices += n > 1;
        apply(s, action);
    }
    totals.plies += s.ply;
    totals.legal_sum += legal_sum;
    totals.legal_most = std::max(totals.legal_most, legal_most);
    totals.choices += choices;
    totals.scores += points(s, 0) + points(s, 1);
    totals.checksum += checksum;
    totals.outcome += outcome(s);
}

int main(int argc, char** argv) {
    if (argc != 4) return std::fprintf(stderr, "usage: %s SEED FIRST GAMES\n", argv[0]), 2;
    const uint64_t seed = std::strtoull(argv[1], nullptr, 10), first = std::strtoull(argv[2], nullptr, 10);
    const uint64_t games = std::strtoull(argv[3], nullptr, 10);
    build_multisets();
    build_actions();

    State s;
    Totals totals{};
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < games; ++i) random_game(s, derive(seed, first + i), totals);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    // These also keep the compiler from dropping counters that are not printed, which would not be the same work.
    assert(totals.legal_most <= MAX_LEGAL && totals.choices <= totals.plies && totals.outcome <= double(games));
    std::printf("{\"games\": %" PRIu64 ", \"steps\": %" PRId64 ", \"legal_sum\": %" PRId64 ", \"checksum\": \"%" PRIu64
                "\", \"score_sum\": %" PRId64 ", \"seconds\": %.6f}\n",
                games, totals.plies, totals.legal_sum, totals.checksum, totals.scores, seconds.count());
}
