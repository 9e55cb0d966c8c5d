"""The small games beside this file, each by its rules in words, searched without any formula: writes NAME.json.

States are joint states of the whole position; `python3 brute_more.py` rewrites the files (deterministic).
"""
import itertools
import json
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from search import Game, move  # noqa: E402

GAMES, CASES = {}, {}


def game(f):
    GAMES[f.__name__] = f
    return f


def disjunctive(parts, moves, bag=False, **more):
    """A sum: moves(part) gives (name, binders, effect), an effect leads to a tuple of parts. Parts of a bag: equal ones once."""
    def joint(s):
        out = []
        for i, part in enumerate(s):
            if bag and part in s[:i]:
                continue
            rest = s[:i] + s[i + 1:]
            for name, binders, e in moves(part):
                out.append((move(name, i, **binders), e if isinstance(e, str) else (e[0], tuple(sorted(rest + e[1]))) + e[2:]))
        return out
    return Game(tuple(parts), joint, **more)


def single(start, moves, **more):
    """One position that is no sum: an effect leads to a state."""
    return Game(start, lambda s: [(move(name, **binders), e) for name, binders, e in moves(s)], **more)


def to(*parts):
    return ("to", parts)


# ---------------------------------------------------------------- another turn, points, verdicts
@game
def harvest(row):
    def moves(a):
        out = []
        if a:
            out.append(("left", {}, ("again" if a[0] % 2 == 0 else "to", a[1:], a[0])))
        if len(a) > 1:
            out.append(("skip", {}, ("to", a[2:], -1)))
        return out
    return single(tuple(row), moves, points=0)


@game
def extra_turn(heaps):
    return disjunctive(heaps, lambda n: [("take", {"k": k}, ("again" if k == 3 else "to", (n - k,))) for k in (1, 2, 3) if k <= n])


@game
def race(goal, a, b):
    def over(s):
        mine, other = s
        if mine == other and mine > 1:
            return "drawn"
        return "lost" if other >= goal else "won" if mine >= goal else None

    def moves(s):
        mine, other = s
        out = [("run", {"k": k}, ("to", (other, mine + k))) for k in (1, 2)]
        return out + ([("trip", {}, ("to", (other - 1, mine)))] if other else [])
    return single((a, b), moves, over=over)


@game
def frozen(stop, heaps, misere):
    def moves(n):
        if n % stop == 0 and n < 10:
            return []
        return [("take", {"k": k}, to(n - k)) for k in (1, 2, 3) if k <= n]
    return disjunctive(heaps, moves, misere=misere)


def melt_position(lumps, component):
    """points of a lump that is over go to the player then to move, once; then the lump is gone"""
    def worth(lump):
        n, heat = lump
        return 2 * n + heat if n < 2 else None

    def moves(s):
        out = []
        for i, (n, heat) in enumerate(s):
            options = [("cool", {"k": k}, (n - k, k), 0) for k in (1, 2) if k <= n]
            if n > 3:
                options.append(("crack", {}, (n - 4, 0), 2))
            for name, binders, lump, gain in options:
                rest = s[:i] + s[i + 1:]
                e = worth(lump)
                after = rest + (lump,) if e is None else rest
                out.append((move(name, order[i] if s == first else None, **binders), ("to", tuple(sorted(after)) if after else (), gain - (e or 0))))
        return out
    order = [i for i, x in enumerate(lumps) if worth(x) is None] if component else [None] * len(lumps)
    first = tuple(x for x in lumps if worth(x) is None)
    return Game(first, moves, points=sum(worth(x) for x in lumps if worth(x) is not None))


@game
def melt(n, heat):
    return melt_position([(n, heat)], False)


@game
def melt_sum(lumps):
    return melt_position([tuple(x) for x in lumps], True)


@game
def kindle(n):
    worth = {0: -2, 1: 5}

    def moves(n):
        out = []
        for k in (1, 2, 3):
            if n > 1 and k <= n:
                end = worth.get(n - k, 0)
                out.append(("burn", {"k": k}, ("again", n - k, 1 + end) if k == 2 else ("to", n - k, -end)))
        return out
    return single(n, moves, points=worth.get(n, 0))


@game
def score_rows(rows):
    def moves(a):
        out = [("left", {}, ("to", (a[1:],), a[0]))] if a else []
        if len(a) > 1:
            out += [("right", {}, ("to", (a[:-1],), a[-1])), ("dump", {}, ("to", ((),), len(a) - 3))]
        return out
    return disjunctive([tuple(a) for a in rows], moves, points=0)


@game
def wheel(n, wheels):
    def moves(at):
        out = []
        for k in (1, 2, 3):
            t = (at + k) % n
            if t != at:
                out.append(("spin", {"k": k}, {0: "win", 1: "lose", 2: "draw"}.get(t) or to(t)))
        return out
    return disjunctive(wheels, moves)


# ---------------------------------------------------------------- legal when, same as
@game
def progression(n, chosen):
    def moves(s):
        out = []
        for x in range(1, n + 1):
            t = s | {x}
            if x not in s and not any(b - a == c - b for a, b, c in itertools.combinations(sorted(t), 3)):
                out.append(("pick", {"x": x}, ("to", t)))
        return out
    return single(frozenset(chosen), moves)


@game
def chips(heaps):
    def fine(n):
        return n == 0 or n % 3 != 0

    def moves(n):
        out = []
        for a in range(n):
            b = n - 1 - a
            if a <= b and fine(a) and fine(b):
                out.append(("split", {"a": a}, to(a, b)))
        return out
    return disjunctive(heaps, moves)


@game
def mirror(row):
    def moves(w):
        after = {"one": set(), "two": set()}
        for i in range(len(w)):
            if w[i] == "X":
                t = w[:i] + "." + w[i + 1:]
                after["one"].add(min(t, t[::-1]))
            if w[i:i + 2] == "XX":
                t = w[:i] + ".." + w[i + 2:]
                after["two"].add(min(t, t[::-1]))
        return [(name, {}, ("to", t)) for name in ("one", "two") for t in sorted(after[name])]
    return single(row, moves)


@game
def clamp(m, n):
    return single(n, lambda n: [("take", {"k": k}, ("to", (n - k) % (m + 1))) for k in range(1, m + 1) if k <= n])


# ---------------------------------------------------------------- misere, compounds, bags
@game
def misere_cut(heaps):
    def moves(n):
        out = [("cut", {"a": a}, to(a, n - a)) for a in range(1, n) if 2 * a <= n and n > 2]
        return out + ([("drop", {}, to(n - 1))] if n else [])
    return disjunctive(heaps, moves, misere=True)


def compound(how, k, parts, moves, misere=False, bag=False):
    """moves(part) gives (name, binders, new parts); in a bag two choices that differ by a swap of equal parts are one"""
    def joint(s):
        options = [moves(p) for p in s]
        can = [i for i in range(len(s)) if options[i]]
        stuck = len(can) < len(s)
        if how == "conjunctive":
            chosen = [] if stuck or not s else [tuple(range(len(s)))]
        elif how == "continued":
            chosen = [tuple(can)] if can else []
        else:
            most = {"selective": len(s), "shortened_selective": len(s), "diminished": 1, "at_most": k}[how]
            chosen = [c for size in range(1, most + 1) for c in itertools.combinations(can, size)]
            if stuck and how in ("shortened_selective", "diminished"):
                chosen = []
        out = []
        seen = set()
        for c in chosen:
            for pick in itertools.product(*[options[i] for i in c]):
                what = repr(sorted((s[i], x[0], sorted(x[1].items())) for i, x in zip(c, pick)))
                if bag and what in seen:
                    continue
                seen.add(what)
                new = {i: list(x[2]) for i, x in zip(c, pick)}
                after = [q for i, p in enumerate(s) for q in new.get(i, [p])]
                label = {"component": None, "parts": [{"component": i, "name": x[0], "binders": x[1]} for i, x in zip(c, pick)]}
                out.append((label, ("to", tuple(sorted(after)))))
        return out
    return Game(tuple(parts), joint, misere=misere)


def coins(t):
    return lambda n: [("take", {"x": x}, [n - x]) for x in sorted(t) if x <= n]


@game
def compounds(how, k, t, heaps):
    return compound(how, k, heaps, coins(t))


@game
def compounds_misere(how, k, t, heaps):
    return compound(how, k, heaps, coins(t), misere=True)


@game
def compound_split(how, sticks):
    return compound(how, None, sticks, lambda n: [("snap", {"a": a}, [a, n - a]) for a in range(1, n // 2 + 1)])


@game
def bag_compound(how, t, heaps):
    return compound(how, None, sorted(heaps), coins(t), bag=True)


@game
def bag_heaps(heaps):
    def moves(n):
        out = [("take", {"k": k}, to(n - k)) for k in range(1, n + 1, 2)]
        return out + ([("halve", {}, to(n // 2, n // 2))] if n and n % 2 == 0 else [])
    return disjunctive(sorted(heaps), moves, bag=True)


@game
def merge(m, heaps):
    def moves(s):
        out = []
        for a, b in sorted(set(itertools.combinations(s, 2))):
            if a + b <= m:
                t = list(s)
                t.remove(a)
                t.remove(b)
                out.append(("merge", {"a": a, "b": b}, ("to", tuple(sorted(t + [a + b])))))
        for a in sorted(set(s)):
            if a > 1:
                t = list(s)
                t.remove(a)
                out.append(("drop", {"a": a}, ("to", tuple(t))))
        return out
    return single(tuple(sorted(heaps)), moves)


# ---------------------------------------------------------------- cycles
def walking(n, arcs):
    return lambda v: [("go", {"v": w}, to(w)) for w in range(n) if [v, w] in arcs]


@game
def walks(n, arcs, tokens):
    return disjunctive(tokens, walking(n, arcs))


@game
def walks_misere(n, arcs, tokens):
    return disjunctive(tokens, walking(n, arcs), misere=True)


# ---------------------------------------------------------------- boards
def cells(board, what):
    return [(r, c) for r, row in enumerate(board) for c, x in enumerate(row) if what(x)]


@game
def snake(board):
    open_cells = set(cells(board, lambda x: x != "#"))

    def moves(s):
        at, seen = s
        out = []
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            path = []
            q = (at[0] + dr, at[1] + dc)
            while q in open_cells and q not in seen:
                path.append(q)
                q = (q[0] + dr, q[1] + dc)
            if path:
                out.append(("run", {"d": [dr, dc]}, to((path[-1], tuple(sorted(set(seen) | set(path)))))))
        return out
    return disjunctive([(c, (c,)) for c in cells(board, lambda x: x == "S")], moves)


@game
def kings(board):
    def moves(free):
        return [("put", {"c": list(c)}, ("to", frozenset(q for q in free if max(abs(q[0] - c[0]), abs(q[1] - c[1])) > 1))) for c in sorted(free)]
    return single(frozenset(cells(board, lambda x: x == ".")), moves)


@game
def knights(n, knights):
    def moves(at):
        out = []
        for dr, dc in ((-2, 1), (-2, -1), (1, -2), (-1, -2)):
            r, c = at[0] + dr, at[1] + dc
            if 0 <= r < n and 0 <= c < n:
                out.append(("hop", {"dr": dr, "dc": dc}, to((r, c))))
        return out
    return disjunctive([tuple(k) for k in knights], moves)


@game
def queens(n, queens):
    def attack(p, q):
        return p[0] == q[0] or p[1] == q[1] or abs(p[0] - q[0]) == abs(p[1] - q[1])

    def moves(s):
        out = []
        for r in range(n):
            for c in range(n):
                t = s | {(r, c)}
                if (r, c) not in s and not any(attack(p, q) for p, q in itertools.combinations(t, 2)):
                    out.append(("put", {"r": r, "c": c}, ("to", t)))
        return out
    return single(frozenset(map(tuple, queens)), moves)


@game
def tiles(g):
    def moves(s):
        out = []
        for r, row in enumerate(s):
            for c, x in enumerate(row):
                for k in range(1, x + 1):
                    t = [list(y) for y in s]
                    t[r][c] -= k
                    if c + 1 < len(row):
                        t[r][c + 1] += k
                    out.append(("push", {"r": r, "c": c, "k": k}, ("to", tuple(map(tuple, t)))))
        return out
    return single(tuple(map(tuple, g)), moves)


@game
def points(s):
    def moves(s):
        return [("take", {"x": x, "y": y}, ("to", frozenset((a, b) for a, b in s if not (a >= x and b >= y)))) for x, y in sorted(s)]
    return single(frozenset(map(tuple, s)), moves)


# ---------------------------------------------------------------- lists from 1, texts
@game
def bubble(a):
    def moves(s):
        out = []
        for i in range(1, len(s)):
            if s[i - 1] > s[i]:
                out.append(("swap", {"i": i}, ("to", s[:i - 1] + (s[i], s[i - 1]) + s[i + 1:])))
        for i in range(2, len(s) + 1):
            if s[i - 1] > s[0]:
                out.append(("zero", {"i": i}, ("to", s[:i - 1] + (0,) + s[i:])))
        return out
    return single(tuple(a), moves)


@game
def rewrite(w):
    def moves(w):
        out = [("melt", {"i": i}, ("to", w[:i] + "b" + w[i + 2:])) for i in range(len(w)) if w[i:i + 2] == "ab"]
        out += [("void", {"i": i}, ("to", w[:i] + w[i + 2:])) for i in range(len(w)) if w[i:i + 2] == "ba"]
        return out + ([("trim", {}, ("to", w[:-1]))] if w.endswith("a") else [])
    return single(w, moves)


# ---------------------------------------------------------------- several games, defaults, questions
@game
def ping_pong(pings, pongs):
    def moves(p):
        kind, n = p
        if kind == "1 ping":
            return [("hit", {"k": k}, to(("2 pong", n - k))) for k in (1, 2) if k <= n]
        out = [("lob", {"k": k}, to(("1 ping", n - k), ("1 ping", k - 1))) for k in (1, 3) if k < n]
        return out + ([("net", {}, to(("2 pong", n - 2)))] if n > 1 else [])
    return disjunctive([("1 ping", a) for a in pings] + [("2 pong", b) for b in pongs], moves)


@game
def cap(m, n):
    def moves(s):
        n, last, fresh = s
        out = [("take", {"k": k}, ("to", (n - k, k, False))) for k in range(1, m + 1) if k <= n and k != last]
        return out + ([("again_", {}, ("to", (n, 0, False)))] if fresh else [])
    return single((n, m, m < n), moves)


@game
def guard(heaps):
    def lake(n):
        return disjunctive([n], lambda n: [("take", {"k": k}, to(n - k)) for k in (1, 3, 4) if k <= n]).grundy()

    def moves(n):
        out = [("take", {"k": k}, to(n - k)) for k in range(1, n + 1) if k <= 1 + lake(n)]
        return out + ([("jump", {}, to(n - 3, 1))] if n > 2 and lake(n) == 0 else [])
    return disjunctive(heaps, moves)


@game
def twins(m, heads):
    def moves(s):
        out = []
        for i in sorted(s):
            for j in range(1, i):
                if i - j <= m:
                    out.append(("turn", {"i": i, "j": j}, ("to", s ^ {i, j})))
        return out + ([("end", {}, ("to", s - {1}))] if 1 in s else [])
    return single(frozenset(heads), moves)


@game
def chocolate(k, x, y):
    def moves(s):
        x, y = s
        out = [("right", {"t": t}, ("to", (t, min(y, t // k)))) for t in range(x)]
        return out + [("upper", {"t": t}, ("to", (x, t))) for t in range(y)]
    return single((x, y), moves)


# ---------------------------------------------------------------- instances
def cases(name, fixed, more, total=18):
    rnd = random.Random("more " + name)
    out, seen = [], set()
    for x in itertools.chain(fixed, (more(rnd) for _ in range(50 * total))):
        if repr(x) not in seen and len(out) < total:
            seen.add(repr(x))
            out.append(x)
    CASES[name] = out


def some(r, lo, hi, low, high):
    return [r.randint(low, high) for _ in range(r.randint(lo, hi))]


def d(**x):
    return x


cases("harvest", [d(row=[]), d(row=[3]), d(row=[2]), d(row=[3, 2, 5]), d(row=[-2, 4, 4]), d(row=[0, 0, 0, 1])], lambda r: d(row=some(r, 1, 7, -4, 6)))
cases("extra_turn", [d(heaps=[]), d(heaps=[0]), d(heaps=[2]), d(heaps=[3]), d(heaps=[4]), d(heaps=[3, 3]), d(heaps=[1, 2]), d(heaps=[6, 1])], lambda r: d(heaps=some(r, 1, 3, 0, 9)))
cases("race", [d(goal=4, a=0, b=0), d(goal=0, a=0, b=0), d(goal=4, a=2, b=2), d(goal=4, a=4, b=1), d(goal=4, a=1, b=5), d(goal=1, a=0, b=0), d(goal=3, a=3, b=3)],
      lambda r: d(goal=r.randint(2, 8), a=r.randint(0, 4), b=r.randint(0, 4)))
cases("frozen", [d(stop=3, heaps=[5, 7], misere=False), d(stop=3, heaps=[5, 7], misere=True), d(stop=3, heaps=[3, 6], misere=False), d(stop=3, heaps=[3, 6], misere=True), d(stop=3, heaps=[12], misere=False), d(stop=1, heaps=[4, 11], misere=True), d(stop=2, heaps=[], misere=True), d(stop=2, heaps=[], misere=False)],
      lambda r: d(stop=r.randint(2, 7), heaps=some(r, 1, 3, 0, 14), misere=r.random() < 0.5))
cases("melt", [d(n=0, heat=0), d(n=0, heat=3), d(n=1, heat=0), d(n=2, heat=0), d(n=3, heat=9), d(n=6, heat=0)], lambda r: d(n=r.randint(2, 20), heat=r.randint(0, 5)))
cases("melt_sum", [d(lumps=[[0, 0]]), d(lumps=[[1, 2]]), d(lumps=[[1, 2], [0, 5]]), d(lumps=[[2, 0]]), d(lumps=[[0, 3], [5, 0], [1, 0]]), d(lumps=[[4, 0], [3, 1]]), d(lumps=[[4, 0], [4, 0]])],
      lambda r: d(lumps=[[r.randint(0, 7), r.randint(0, 3)] for _ in range(r.randint(1, 3))]))
cases("kindle", [d(n=n) for n in range(18)], lambda r: d(n=r.randint(18, 60)))
cases("score_rows", [d(rows=[[]]), d(rows=[[5]]), d(rows=[[-5]]), d(rows=[[], [-2], []]), d(rows=[[3, 1], [2, 5, 2]]), d(rows=[[1, 1], [1, 1]]), d(rows=[[1, 9, 1, 0], [7]])],
      lambda r: d(rows=[some(r, 0, 4, -3, 9) for _ in range(r.randint(1, 3))]))
cases("wheel", [d(n=6, wheels=[3, 4]), d(n=6, wheels=[]), d(n=2, wheels=[0]), d(n=2, wheels=[1]), d(n=3, wheels=[2]), d(n=9, wheels=[3]), d(n=9, wheels=[3, 3]), d(n=7, wheels=[1, 2]), d(n=12, wheels=[3, 4])],
      lambda r: (lambda n: d(n=n, wheels=[r.randint(2, n - 1) for _ in range(r.randint(1, 3))]))(r.randint(5, 14)))
cases("progression", [d(n=6, chosen=[]), d(n=0, chosen=[]), d(n=1, chosen=[]), d(n=3, chosen=[]), d(n=5, chosen=[1, 2, 3]), d(n=6, chosen=[1, 4]), d(n=7, chosen=[9, 5]), d(n=9, chosen=[])],
      lambda r: d(n=r.randint(3, 9), chosen=r.sample(range(1, 10), r.randint(0, 2))))
cases("chips", [d(heaps=[]), d(heaps=[0]), d(heaps=[1]), d(heaps=[3]), d(heaps=[4]), d(heaps=[6]), d(heaps=[5, 3]), d(heaps=[7, 7])], lambda r: d(heaps=some(r, 1, 3, 0, 11)))
cases("mirror", [d(row=x) for x in ["", ".", "X", "XX", "XXX", "X.X", "XX.XX", "XXXX", ".XX", "XX.X", "XXXXXX", "X..XX"]], lambda r: d(row="".join(r.choice("XXX.") for _ in range(r.randint(3, 8)))))
cases("clamp", [d(n=12, m=3), d(n=0, m=0), d(n=5, m=0), d(n=3, m=3), d(n=4, m=3), d(n=200, m=4)], lambda r: d(n=r.randint(0, 60), m=r.randint(1, 7)))
cases("misere_cut", [d(heaps=h) for h in [[], [0], [1], [2], [3], [1, 1], [2, 2], [0, 1], [3, 2], [4, 4]]], lambda r: d(heaps=some(r, 1, 3, 0, 6)))
HOW = ["conjunctive", "continued", "selective", "shortened_selective", "diminished", "at_most"]
for name in ("compounds", "compounds_misere"):
    fixed = [d(how=h, k=2, t=[1, 2], heaps=x) for h in HOW for x in ([], [0, 2])] + [d(how=h, k=2, t=[2, 1], heaps=[2, 3, 2]) for h in HOW] + [d(how="at_most", k=0, t=[1], heaps=[2]), d(how="at_most", k=5, t=[1], heaps=[2, 1])]
    cases(name, fixed, lambda r: d(how=r.choice(HOW), k=r.randint(1, 3), t=r.sample([1, 2, 3, 4], r.randint(1, 3)), heaps=some(r, 1, 3, 0, 6)), 60)
cases("bag_compound", [d(how=h, t=[1, 2], heaps=x) for h in ("conjunctive", "selective", "diminished") for x in ([2, 2, 1], [3, 1, 3], [2, 2, 2], [])],
      lambda r: d(how=r.choice(["conjunctive", "selective", "diminished"]), t=r.sample([1, 2, 3, 4], r.randint(1, 3)), heaps=some(r, 2, 4, 0, 4)), 30)
cases("compound_split", [d(how=h, sticks=x) for h in ("conjunctive", "continued", "selective", "diminished") for x in ([4], [2, 3])] + [d(how="selective", sticks=[]), d(how="conjunctive", sticks=[1, 4])],
      lambda r: d(how=r.choice(["conjunctive", "continued", "selective", "diminished"]), sticks=some(r, 1, 3, 1, 4)), 24)
cases("bag_heaps", [d(heaps=h) for h in [[], [0], [1], [2], [2, 2, 3], [3, 2, 2], [1, 1, 1], [4, 4, 4], [0, 0, 6], [5, 2, 5]]], lambda r: d(heaps=some(r, 1, 4, 0, 6)))
cases("merge", [d(m=4, heaps=[1, 1, 2]), d(m=0, heaps=[]), d(m=0, heaps=[0, 0]), d(m=3, heaps=[1]), d(m=3, heaps=[2]), d(m=6, heaps=[2, 2, 2]), d(m=5, heaps=[4, 1, 3, 1])], lambda r: d(m=r.randint(2, 7), heaps=some(r, 1, 5, 0, 4)))


def arcs(r):
    n = r.randint(1, 5)
    p = r.choice([0.2, 0.35])
    e = [[u, v] for u in range(n) for v in range(n) if r.random() < p]
    return d(n=n, arcs=e, tokens=[r.randrange(n) for _ in range(r.randint(1, 2))])


two = [[0, 1], [1, 0], [1, 2]]
for name in ("walks", "walks_misere"):
    cases(name, [d(n=3, arcs=two, tokens=[0]), d(n=3, arcs=two, tokens=[1]), d(n=3, arcs=two, tokens=[]), d(n=3, arcs=two, tokens=[0, 1]), d(n=3, arcs=two, tokens=[1, 1]), d(n=1, arcs=[[0, 0]], tokens=[0]), d(n=2, arcs=[[0, 0], [0, 1]], tokens=[0]), d(n=2, arcs=[[0, 0], [0, 1]], tokens=[0, 0]),
                  d(n=3, arcs=[[0, 1], [1, 2], [2, 0]], tokens=[0, 1]), d(n=4, arcs=[[0, 1], [1, 0], [0, 2], [1, 2], [2, 3]], tokens=[0, 2]), d(n=5, arcs=[[0, 0], [0, 1], [2, 3], [3, 4], [2, 4]], tokens=[0, 2])], arcs, 30)
cases("snake", [d(board=b) for b in [["S"], ["S.#", "...", "#.."], ["S.", ".S"], ["..", ".."], ["S#S"], [".S."], ["S..", ".#.", "..S"], ["....", ".S#.", "...."]]],
      lambda r: (lambda c: d(board=["".join(r.choice("....#S") for _ in range(c)) for _ in range(r.randint(1, 3))]))(r.randint(1, 3)))
cases("kings", [d(board=b) for b in [["."], ["#"], ["X"], ["..", ".."], ["...", ".#.", "..X"], ["....."], ["...", "...", "..."], [".#.#.", "#.#.#"]]],
      lambda r: (lambda c: d(board=["".join(r.choice("....#X") for _ in range(c)) for _ in range(r.randint(1, 4))]))(r.randint(1, 4)))
cases("knights", [d(n=5, knights=[[4, 4], [3, 2]]), d(n=1, knights=[[0, 0]]), d(n=2, knights=[[1, 1]]), d(n=3, knights=[[2, 2]]), d(n=8, knights=[[7, 7]]), d(n=4, knights=[]), d(n=4, knights=[[3, 3], [3, 3]])],
      lambda r: (lambda n: d(n=n, knights=[[r.randrange(n), r.randrange(n)] for _ in range(r.randint(1, 2))]))(r.randint(3, 6)))
cases("queens", [d(n=4, queens=[[0, 0]]), d(n=0, queens=[]), d(n=1, queens=[]), d(n=2, queens=[]), d(n=3, queens=[]), d(n=4, queens=[]), d(n=4, queens=[[0, 0], [1, 1]]), d(n=5, queens=[[2, 2]]), d(n=3, queens=[[7, 9]]), d(n=4, queens=[[1, 0], [0, 2]])],
      lambda r: (lambda n: d(n=n, queens=[list(q) for q in r.sample(list(itertools.product(range(n), repeat=2)), r.randint(0, 2))]))(r.randint(3, 5)))
cases("tiles", [d(g=g) for g in [[[0]], [[3]], [[1, 0], [2, 1]], [[0, 2, 0]], [[1], [2], [1]], [[1, 1, 1]], [[2, 0], [0, 2]]]],
      lambda r: (lambda c: d(g=[[r.randint(0, 2) for _ in range(c)] for _ in range(r.randint(1, 2))]))(r.randint(1, 3)))
cases("points", [d(s=[]), d(s=[[0, 0]]), d(s=[[1, 0], [0, 1]]), d(s=[[0, 1], [1, 0], [1, 1]]), d(s=[[2, 2], [0, 0], [1, 1]])], lambda r: d(s=[list(q) for q in r.sample(list(itertools.product(range(4), repeat=2)), r.randint(2, 9))]))
cases("bubble", [d(a=a) for a in [[], [1], [2, 1], [1, 2], [1, 1], [2, 3, 1], [3, 2, 1], [0, 5, 4]]], lambda r: d(a=some(r, 2, 5, 0, 4)))
cases("rewrite", [d(w=w) for w in ["", "a", "b", "ab", "ba", "abba", "aaa", "aabb", "bbaa", "ababab"]], lambda r: d(w="".join(r.choice("ab") for _ in range(r.randint(3, 10)))))
cases("ping_pong", [d(pings=[4], pongs=[3]), d(pings=[], pongs=[]), d(pings=[0], pongs=[0]), d(pings=[], pongs=[4]), d(pings=[3], pongs=[]), d(pings=[2, 2], pongs=[2, 2])], lambda r: d(pings=some(r, 0, 2, 0, 7), pongs=some(r, 0, 2, 0, 7)))
cases("cap", [d(n=7, m=3), d(n=0, m=0), d(n=3, m=0), d(n=1, m=1), d(n=2, m=1), d(n=3, m=3), d(n=4, m=3)], lambda r: d(n=r.randint(0, 25), m=r.randint(0, 6)))
cases("guard", [d(heaps=h) for h in [[], [0], [1], [2], [7], [9], [5, 2], [7, 7]]], lambda r: d(heaps=some(r, 1, 2, 0, 14)))
cases("twins", [d(m=2, heads=[2, 4]), d(m=0, heads=[1]), d(m=0, heads=[2, 3]), d(m=1, heads=[]), d(m=1, heads=[3]), d(m=3, heads=[6, 1, 5])], lambda r: d(m=r.randint(1, 4), heads=r.sample(range(1, 10), r.randint(1, 5))))
cases("chocolate", [d(k=2, x=7, y=3), d(k=1, x=0, y=0), d(k=1, x=5, y=5), d(k=3, x=2, y=0), d(k=4, x=20, y=5)], lambda r: (lambda k, x: d(k=k, x=x, y=r.randint(0, x // k)))(r.randint(1, 4), r.randint(0, 20)))

if __name__ == "__main__":
    for name in sorted(GAMES):
        lines = []
        got = {}
        for x in CASES[name]:
            a = GAMES[name](**x).answer()
            if name == "bag_compound" and x["how"] in ("conjunctive", "selective"):
                del a["winning_moves"]  # only the count: which of the equal parts are named is left open
            got[a["outcome"]] = got.get(a["outcome"], 0) + 1
            lines.append(json.dumps(dict({"input": x}, **a), separators=(",", ":")))
        with open(os.path.join(HERE, name + ".json"), "w") as f:
            f.write("[\n " + ",\n ".join(lines) + "\n]\n")
        print(name, len(lines), got)
