/* A fast, handwritten engine of the card game Pinch: a speed yardstick and an independent statistical cross-check.
 *
 *   gcc -O3 -march=native -o pinch pinch.c      (-DCHECK: conservation of cards and other invariants after every turn)
 *   ./pinch VARIANT STRATEGY PLAYERS GAMES SEED   VARIANT pinch|classic|aces-bite, STRATEGY uniform|greedy, PLAYERS 3..5
 *
 * One thread, a mirror line-up, start seat 0; game i's randomness comes from (SEED, i) alone. Rules: R1-R6, R7.1, R7.2, R10.
 *
 * A turn needs little work, so the data are laid out for few instructions and few branches that depend on luck:
 *
 * Hand: four "planes" of 16 bits in one word. Bit 16*k + v is set iff the hand holds more than k cards of value v (0..12 for
 *   A..K, 13 jokers): a value's cards are a run of bits from plane 0 upwards. Planes 4..7 are in a second word, which is nearly
 *   always 0 (five of a kind) and has its own slow path.
 *   - uniform: a set bit (k, v) stands for "play v, keep k of them", a bijection with the pairs (v, a). One PDEP picks it.
 *   - greedy: the most frequent value, lowest first, is the lowest bit of the highest non-empty plane.
 * Group: 11 bits, size<<7 | rank<<3 | jokers, with rank 0..12 for A..K and 15 for lone jokers; 0 = empty display. A group
 *   beats exactly the codes from its size<<7 up to, not including, its size<<7 | rank<<3.
 * Tops: the top groups in one word, 12 bits a player, the player to move in lane 0. Shifting that lane out leaves the others
 *   in clockwise order, and two subtractions under guard bits compare them all. Comparisons do not depend on what earlier
 *   pinches of the turn do, so the set of victims is known at once.
 * Market and pile: one shuffled array of `rest` cards, the market being its last F = 6 (or all that are left), the next pile
 *   card the one before. To draw a card, put the last card into its place and shorten the array: whichever it was, the market
 *   is again the last F (F - 1 if not to be refilled yet) and the pile what lies before, so refilling costs nothing. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint32_t u32;
typedef uint64_t u64;
__extension__ typedef unsigned __int128 u128;
#define INLINE static inline __attribute__((always_inline))
#define RARE(x) __builtin_expect(!!(x), 0)

enum { JOKER = 13, LONE = 15, DECK = 108, HAND = 13, MARKET = 6, TURN_LIMIT = 2000 };
enum { UNIFORM, GREEDY };
enum { PINCH, CLASSIC, ACES_BITE };
enum { HAND_EMPTY, CARDS_EXHAUSTED, TURN_LIMIT_HIT };
#define PLANES 0x0001000100010001ull          /* bit v of every plane: PLANES << v */
#define NATURALS (PLANES * 0x1fff)
#define JOKERS (PLANES << JOKER)
#define LANES 0x0001001001001001ull           /* one in each of five lanes of 12 bits */
#define GUARDS (LANES << 11)

/* ---- bit tricks, with plain C where BMI2 is missing ---- */
#ifdef __BMI2__
INLINE u32 select_bit(u64 x, u32 k) { return (u32)__builtin_ctzll(_pdep_u64(1ull << k, x)); }
INLINE u64 low_bits(u64 x, u32 n) { return _bzhi_u64(x, n); }
#else
INLINE u32 select_bit(u64 x, u32 k) { while (k--) x &= x - 1; return (u32)__builtin_ctzll(x); }
INLINE u64 low_bits(u64 x, u32 n) { return n >= 64 ? x : x & ((1ull << n) - 1); }
#endif
INLINE u32 count(u64 x) { return (u32)__builtin_popcountll(x); }
INLINE u64 lowest(u64 x) { return x & -x; }
INLINE u32 min(u32 a, u32 b) { return a < b ? a : b; }

/* ---- random numbers: a counter hashed by one wide multiplication (wyrand) ---- */
INLINE u64 mix(u64 x) {                       /* splitmix64's finaliser */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
INLINE u64 rng(u64 *s) {
    *s += 0xa0761d6478bd642full;
    u128 m = (u128)*s * (*s ^ 0xe7037ed1a0b428dbull);
    return (u64)(m >> 64) ^ (u64)m;
}
/* Takes a number below n off the fraction *f and leaves the rest of its randomness there: several bounded numbers come from
 * one word. Their bias is at most the product of the bounds / 2^64, here below 2^-30. */
INLINE u32 below(u64 *f, u32 n) {
    u128 m = (u128)*f * n;
    *f = (u64)m;
    return (u32)(m >> 64);
}

/* ---- state of a game ---- */
typedef struct {
    u64 lo, hi;                               /* the hand: planes 0..3 and 4..7 */
    u32 depth;                                /* groups in the display, the top one is stack[depth]; stack[0] = 0 */
    u32 shown;                                /* cards in the display */
    uint16_t stack[DECK + 8];                 /* makes 256 bytes */
} Seat;

typedef struct { u64 lo, hi, f; u32 group; } Play;    /* the hand after the play, unused randomness, the group */

typedef struct {
    u32 rest;                                 /* cards in the market and the pile */
    u32 present;                              /* greedy: the set of the values in the market ... */
    u64 counts;                               /* ... and how many of each, 4 bits a value */
    u64 rng;
    uint8_t deck[DECK + 4];
} Table;
typedef struct { u64 turns, pinches, ends[3], win60[5]; int64_t score[5]; } Stats;

/* ---- hands ---- */
INLINE u32 hand_size(const Seat *s) { return count(s->lo) + count(s->hi); }
INLINE void add_card(Seat *s, u32 v) {
    u64 room = (PLANES << v) & ~s->lo;
    s->lo |= lowest(room);
    if (RARE(!room)) s->hi |= lowest((PLANES << v) & ~s->hi);
}
/* The cards of a pinched group go to a hand (group 0: none do). */
INLINE void add_group(Seat *s, u32 group) {
    u32 v = group >> 3 & 15, b = group & 7, a = (group >> 7) - b, total = count(s->lo & PLANES << v) + a;
    if (RARE(total > 4)) {
        s->hi |= low_bits(PLANES << v, 16 * (total - 4 + count(s->hi & PLANES << v)));
        total = 4;
    }
    s->lo |= low_bits(PLANES << v, 16 * total) | low_bits(JOKERS, 16 * (count(s->lo & JOKERS) + b));
}

/* Uniform play. With N naturals and J jokers in hand the options are the pairs (x, keep), x = 0..N, keep = 0..J, without
 * (N, J): x < N is the x-th set bit of the naturals, x = N lone jokers (bit 63, a sentinel), `keep` the jokers kept. */
INLINE Play play_option(const Seat *s, u32 x, u32 keep) {
    u64 nat = s->lo & NATURALS, removed;
    u32 jokers = count(s->lo & JOKERS), bit, a = 0;
    Play play = {.hi = 0};
    if (RARE(s->hi)) {                        /* here the order is naturals of lo, naturals of hi, sentinel */
        u32 low = count(nat), high = count(s->hi);
        int in_hi = x >= low && x < low + high;
        bit = in_hi ? select_bit(s->hi, x - low) : select_bit(nat | 1ull << 63, x - (x < low ? 0 : high));
        u64 removed_hi = s->hi & PLANES << (in_hi ? bit : bit & 15);
        removed = in_hi ? 0 : nat & PLANES << bit;
        play.hi = s->hi ^ removed_hi;
        a = count(removed_hi);
    } else {
        bit = select_bit(nat | 1ull << 63, x);
        removed = nat & PLANES << bit;        /* the run's cards from the chosen plane on; none for the sentinel */
    }
    a += count(removed);
    play.lo = (nat ^ removed) | low_bits(JOKERS, 16 * keep);
    play.group = (a + jokers - keep) << 7 | (bit & 15) << 3 | (jokers - keep);
    return play;
}
INLINE Play play_uniform(const Seat *s, u64 f) {
    u32 naturals = count(s->lo & NATURALS) + count(s->hi), jokers = count(s->lo & JOKERS), x, keep;
    do {                                      /* rejecting the pair (N, J) is cheaper than a division, and seldom needed */
        x = below(&f, naturals + (jokers > 0));
        keep = below(&f, jokers + 1);
    } while (RARE(x == naturals && keep == jokers));
    Play play = play_option(s, x, keep);
    play.f = f;
    return play;
}

/* The most frequent value among the planes, the lowest on ties: lowest bit of the highest plane. */
INLINE u32 favourite(u64 planes) { return (u32)__builtin_ctzll(planes >> ((63 - __builtin_clzll(planes)) & 48)); }

INLINE Play play_greedy(const Seat *s) {
    u64 nat = s->lo & NATURALS, joker = s->lo & JOKERS;
    if (RARE(!nat)) return (Play){.lo = 0, .hi = 0, .group = count(joker) << 7 | LONE << 3 | count(joker)};
    u32 v = favourite(RARE(s->hi) ? s->hi : nat), a = count(nat & PLANES << v), b = 0;
    Play play = {.hi = 0};
    if (RARE(s->hi)) { a += count(s->hi & PLANES << v); play.hi = s->hi & ~(PLANES << v); }
    nat &= ~(PLANES << v);
    if (RARE(!nat)) { b = count(joker); joker = 0; }      /* only jokers are left: they join */
    play.lo = nat | joker;
    play.group = (a + b) << 7 | v << 3 | b;
    return play;
}
INLINE Play choose_play(const Seat *s, u64 *state, const int strategy) {
    return strategy == UNIFORM ? play_uniform(s, rng(state)) : play_greedy(s);
}

/* ---- drawing ---- */
/* One card, or with `pass` perhaps none, or none if `skip`: no branch. */
INLINE void draw_one_uniform(Table *t, Seat *s, u64 *f, u32 pass, int skip) {
    u32 sources = min(t->rest, MARKET + 1), k = below(f, sources + pass);
    u64 drawn = (u64)(skip | (k == sources)) - 1;         /* all ones or 0 */
    uint8_t *last = t->deck + t->rest - 1, *place = last - (k & drawn);
    u32 card = *place;
    *place = *last;
    t->rest += (u32)drawn;
    u64 room = (PLANES << card) & ~s->lo;
    s->lo |= lowest(room) & drawn;
    if (RARE(!room)) s->hi |= lowest((PLANES << card) & ~s->hi) & drawn;
}
/* m cards; the market is refilled only when all are drawn. Stops early if all cards are used up (R5.3). */
INLINE void draw_many_uniform(Table *t, Seat *s, u32 m) {
    u64 f = rng(&t->rng);
    for (u32 filled = MARKET; m && t->rest; m--) {
        u32 k = below(&f, min(t->rest, filled + 1));
        filled -= k != filled;                /* with the pile gone `filled` may be too large, but then min() is t->rest */
        uint8_t *place = t->deck + --t->rest - k;
        add_card(s, *place);
        *place = t->deck[t->rest];
    }
}
INLINE void market_add(Table *t, u32 v) { t->counts += 1ull << 4 * v; t->present |= 1u << v; }
INLINE void market_remove(Table *t, u32 v) {
    t->counts -= 1ull << 4 * v;
    t->present &= ~((u32)!(t->counts >> 4 * v & 15) << v);
}
INLINE void draw_one_greedy(Table *t, Seat *s) {
    u64 seen = PLANES * t->present, liked = RARE(s->hi & seen) ? s->hi & seen : s->lo & seen;
    u32 card;
    if (RARE(t->rest <= MARKET)) card = (u32)__builtin_ctz(t->present);
    else {                                    /* a pile card joins the market and leaves it again: both sources are one case */
        card = t->deck[t->rest - MARKET - 1];
        market_add(t, card);
    }
    if (liked) card = favourite(liked);
    market_remove(t, card);
    t->rest--;
    add_card(s, card);
}
INLINE void draw_many_greedy(Table *t, Seat *s, u32 m) {
    u32 filled = min(t->rest, MARKET), pile = t->rest - filled;
    for (; m && filled + pile; m--) {
        u64 seen = PLANES * t->present, liked = RARE(s->hi & seen) ? s->hi & seen : s->lo & seen;
        u32 card;
        if (!liked && pile) card = t->deck[--pile];
        else {
            card = liked ? favourite(liked) : (u32)__builtin_ctz(t->present);
            market_remove(t, card);
            filled--;
        }
        add_card(s, card);
    }
    t->rest = filled + pile;
    for (; filled < MARKET && pile; filled++) market_add(t, t->deck[--pile]);
}

#ifdef CHECK
#define REQUIRE(x) do { if (!(x)) { fprintf(stderr, "check failed, line %d: %s\n", __LINE__, #x); abort(); } } while (0)
static int discarded[16];
/* Every card is in exactly one place, and what is kept twice agrees. */
static void check(const Seat *seat, const Table *t, u64 tops, int n, int first, int strategy, int over) {
    int have[16] = {0};
    for (int p = 0; p < n; p++) {
        const Seat *s = seat + p;
        u32 shown = 0;
        for (int v = 0; v < 16; v++) {
            u32 c = count(s->lo & PLANES << v), d = count(s->hi & PLANES << v);
            REQUIRE((s->lo & PLANES << v) == low_bits(PLANES << v, 16 * c) && (!d || (c == 4 && v < JOKER)));
            REQUIRE((s->hi & PLANES << v) == low_bits(PLANES << v, 16 * d));
            have[v] += c + d;
        }
        for (u32 i = 1; i <= s->depth; i++) {
            int g = s->stack[i], b = g & 7, a = (g >> 7) - b, v = g >> 3 & 15;
            REQUIRE(a >= 0 && a + b > 0 && (a ? v < JOKER : v == LONE));
            have[v] += a; have[JOKER] += b; shown += a + b;
        }
        REQUIRE(shown == s->shown && !s->stack[0] && (over || (t->rest && hand_size(s))));
        REQUIRE(over || (tops >> 12 * ((p - first + n) % n) & 0xfff) == s->stack[s->depth]);
    }
    u32 filled = min(t->rest, MARKET), in_deck = strategy == UNIFORM ? t->rest : t->rest - filled, in_market = 0;
    for (u32 i = 0; i < in_deck; i++) have[t->deck[i]]++;
    for (u32 v = 0; v < 16; v++) {
        u32 c = t->counts >> 4 * v & 15;
        REQUIRE(!c == !(t->present >> v & 1));
        have[v] += c; in_market += c;
        REQUIRE(have[v] + discarded[v] == (v < JOKER ? 8 : v == JOKER ? 4 : 0));
    }
    REQUIRE(in_market == (strategy == UNIFORM ? 0 : filled));
}
/* R10.1: the pairs (x, keep) of a hand are in bijection with the triples (v, a, b), and playing loses no card. */
static void check_options(void) {
    u64 s = 1;
    for (int trial = 0; trial < 20000; trial++) {
        Seat hand = {.lo = 0};
        u32 c[16] = {0}, cards = 1 + rng(&s) % 30, values = 1 + rng(&s) % 14, seen[16][9][5] = {{{0}}};
        for (u32 i = 0; i < cards; i++) {
            u32 v = JOKER - rng(&s) % values;
            if (c[v] < (v == JOKER ? 4 : 8)) { add_card(&hand, v); c[v]++; }
        }
        u32 jokers = c[JOKER], naturals = hand_size(&hand) - jokers;
        for (u32 i = 0; i < naturals * (jokers + 1) + jokers; i++) {
            Seat after = hand;
            Play p = play_option(&hand, i / (jokers + 1), i % (jokers + 1));
            u32 g = p.group, v = g >> 3 & 15, b = g & 7, a = (g >> 7) - b;
            after.lo = p.lo; after.hi = p.hi;
            REQUIRE(a <= (v < JOKER ? c[v] : 0) && b <= jokers && a + b > 0 && (a ? v < JOKER : v == LONE) && !seen[v][a][b]++);
            REQUIRE(hand_size(&after) + a + b == hand_size(&hand));
            add_group(&after, g);
            REQUIRE(after.lo == hand.lo && after.hi == hand.hi);
        }
    }
}
#define CHECK_STATE(over, first) check(seat, &t, tops, n, first, strategy, over)
#define CHECK_DISCARD(g) (discarded[(g) >> 3 & 15] += ((g) >> 7) - ((g) & 7), discarded[JOKER] += (g) & 7)
#define CHECK_RESET() memset(discarded, 0, sizeof discarded)
#else
#define CHECK_STATE(over, first) ((void)0)
#define CHECK_DISCARD(g) ((void)0)
#define CHECK_RESET() ((void)0)
#endif

/* ---- a game ---- */
INLINE void shuffle(Table *t) {
    for (u32 left = DECK; left > 1;) {
        u64 f = rng(&t->rng);
        for (int i = 0; i < 4; i++, left--) {
            u32 j = below(&f, left);
            uint8_t card = t->deck[j];
            t->deck[j] = t->deck[left - 1];
            t->deck[left - 1] = card;
        }
    }
}
INLINE void play_game(u64 seed, const uint8_t *deck, const int n, const int variant, const int strategy, Stats *stats) {
    Seat seat[5];
    Table t = {.rng = seed, .rest = DECK};
    memcpy(t.deck, deck, DECK);
    shuffle(&t);
    for (int p = 0; p < n; p++) {
        seat[p].lo = 0; seat[p].hi = 0; seat[p].depth = 0; seat[p].shown = 0; seat[p].stack[0] = 0;
        for (int i = 0; i < HAND; i++) add_card(seat + p, t.deck[--t.rest]);
    }
    if (strategy == GREEDY) for (u32 i = 1; i <= MARKET; i++) market_add(&t, t.deck[t.rest - i]);

    u64 tops = 0, pinches = 0;
    u32 turn = 1, end;
    Seat *me = seat;
    Play play = choose_play(me, &t.rng, strategy);
    CHECK_RESET();
    CHECK_STATE(0, 0);
    for (;; turn++) {
        u64 f = play.f;
        u32 group = play.group;
        me->lo = play.lo; me->hi = play.hi;
        me->stack[++me->depth] = group;
        me->shown += group >> 7;
        if (RARE(!(me->lo | me->hi))) { end = HAND_EMPTY; break; }

        /* the codes from `from` to below `to` are beaten; under aces-bite an ace group beats kings and lone jokers */
        u64 from = group & ~127u, to = group & ~7u;
        if (variant == ACES_BITE && to == from) { from += 12 << 3; to += 16 << 3; }
        tops >>= 12;
        u64 guarded = tops | GUARDS, beaten = (guarded - from * LANES) & ~(guarded - to * LANES) & GUARDS;
        /* The next play is chosen as early as its hand is known: it is a long chain of dependent steps, and the processor can
         * then work on it while it still waits for the branches of this turn. */
        Seat *next = me + 1 == seat + n ? seat : me + 1;
        if (!beaten) {
            play = choose_play(next, &t.rng, strategy);
            if (variant == PINCH) {
                if (strategy == UNIFORM) draw_one_uniform(&t, me, &f, 1, 0);
                else if (hand_size(me) > 3) draw_one_greedy(&t, me);
                if (RARE(!t.rest)) { end = CARDS_EXHAUSTED; break; }
            }
        } else {
            do {
                u32 bit = (u32)__builtin_ctzll(beaten), decide;
                beaten &= beaten - 1;
                Seat *victim = me + 1 + (bit * 43 >> 9);      /* bit / 12 is the lane */
                if (victim >= seat + n) victim -= n;
                u32 hit = tops >> (bit - 11) & 0x7ff, m = hit >> 7;
                tops ^= (u64)(hit ^ victim->stack[--victim->depth]) << (bit - 11);
                victim->shown -= m;
                pinches++;
                if (strategy == UNIFORM) {
                    decide = (u32)(f >> 62);                  /* 0, 1 take, 2 take back, 3 discard: no branch on it */
                    f <<= 2;
                    ptrdiff_t to_victim = (char *)victim - (char *)me, taken_back = -(ptrdiff_t)(decide >> 1);
                    add_group((Seat *)((char *)me + (to_victim & taken_back)), decide == 3 ? 0 : hit);
                    if (m == 1) draw_one_uniform(&t, victim, &f, 0, decide == 2);
                    else if (decide != 2) draw_many_uniform(&t, victim, m);
                } else if (m == 1) {
                    decide = 3;
                    draw_one_greedy(&t, victim);
                } else {
                    decide = hand_size(me) > 3 ? 0 : m >= 3 ? 2 : 3;
                    if (decide != 3) add_group(decide ? victim : me, hit);
                    if (decide != 2) draw_many_greedy(&t, victim, m);
                }
                if (decide == 3) CHECK_DISCARD(hit);
                if (RARE(!t.rest)) { end = CARDS_EXHAUSTED; goto over; }
            } while (beaten);
            play = choose_play(next, &t.rng, strategy);
        }
        tops |= (u64)group << 12 * (n - 1);
        me = next;
        CHECK_STATE(0, (int)(me - seat));
        if (RARE(turn == TURN_LIMIT)) { end = TURN_LIMIT_HIT; break; }
    }
over:
    CHECK_STATE(1, 0);
    stats->turns += turn;
    stats->pinches += pinches;
    stats->ends[end]++;
    int key[5], best = INT32_MIN, winners = 0;     /* highest score, then fewest cards in hand */
    for (int p = 0; p < n; p++) {
        int hand = (int)hand_size(seat + p), score = (int)seat[p].shown - hand;
        stats->score[p] += score;
        key[p] = score * 256 - hand;
        if (key[p] > best) best = key[p];
    }
    for (int p = 0; p < n; p++) winners += key[p] == best;
    for (int p = 0; p < n; p++) if (key[p] == best) stats->win60[p] += 60 / winners;
}

/* ---- one specialised loop for each number of players, variant and strategy ---- */
#define RUN(N, V, S) \
    static __attribute__((noinline)) void run_##N##V##S(u64 games, u64 seed, Stats *stats) { \
        uint8_t deck[DECK]; \
        for (int i = 0; i < DECK; i++) deck[i] = i / 8; \
        for (u64 i = 0; i < games; i++) play_game(mix(mix(seed) + i * 0x9e3779b97f4a7c15ull), deck, N, V, S, stats); \
    }
#define RUNS(N) RUN(N, PINCH, UNIFORM) RUN(N, CLASSIC, UNIFORM) RUN(N, ACES_BITE, UNIFORM) \
                RUN(N, PINCH, GREEDY) RUN(N, CLASSIC, GREEDY) RUN(N, ACES_BITE, GREEDY)
RUNS(3) RUNS(4) RUNS(5)
#define ROW(N) {{run_##N##PINCHUNIFORM, run_##N##PINCHGREEDY}, {run_##N##CLASSICUNIFORM, run_##N##CLASSICGREEDY}, \
                {run_##N##ACES_BITEUNIFORM, run_##N##ACES_BITEGREEDY}}
static void (*const runs[3][3][2])(u64, u64, Stats *) = {ROW(3), ROW(4), ROW(5)};
static int find(const char *name, const char *const *names) {
    for (int i = 0; names[i]; i++) if (!strcmp(name, names[i])) return i;
    fprintf(stderr, "pinch: unknown name '%s'\n", name);
    exit(2);
}
int main(int argc, char **argv) {
    static const char *const variants[] = {"pinch", "classic", "aces-bite", 0}, *const strategies[] = {"uniform", "greedy", 0};
    static const char *const players[] = {"3", "4", "5", 0};
    u64 games = argc == 6 ? strtoull(argv[4], 0, 10) : 0;
    if (!games) {
        fprintf(stderr, "usage: pinch pinch|classic|aces-bite uniform|greedy 3|4|5 GAMES SEED\n");
        return 2;
    }
    int v = find(argv[1], variants), s = find(argv[2], strategies), n = 3 + find(argv[3], players);
#ifdef CHECK
    check_options();
#endif
    Stats st = {0};
    clock_t start = clock();                  /* CPU time of the process */
    runs[n - 3][v][s](games, strtoull(argv[5], 0, 10), &st);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC, g = (double)games;
    printf("{\"games\": %" PRIu64 ", \"seconds\": %.6f, \"games_per_s\": %.0f, \"turns\": %.6f, ", games, seconds, g / seconds,
           (double)st.turns / g);
    printf("\"end\": {\"hand_empty\": %.8f, \"cards_exhausted\": %.8f, \"turn_limit\": %.8f}, \"win_share\": [",
           (double)st.ends[HAND_EMPTY] / g, (double)st.ends[CARDS_EXHAUSTED] / g, (double)st.ends[TURN_LIMIT_HIT] / g);
    for (int p = 0; p < n; p++) printf("%s%.6f", p ? ", " : "", (double)st.win60[p] / 60 / g);
    printf("], \"score\": [");
    for (int p = 0; p < n; p++) printf("%s%.6f", p ? ", " : "", (double)st.score[p] / g);
    printf("], \"pinches\": %.6f}\n", (double)st.pinches / g);
    return 0;
}
