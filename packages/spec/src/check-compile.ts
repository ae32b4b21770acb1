import { canonicalJson } from './canonical-json.ts';
import { Check, type CheckFile, type CheckLeaf, isLeaf, leavesOf } from './check.ts';
import { comparable, type Expectation } from './check-expectation.ts';
import { type Look, lookText } from './check-look.ts';
import { type Constraints, constraintsOf } from './check-relations.ts';
import { ForgeError } from './errors.ts';

/** Texts of every sort: a pattern that all of them match says nothing. */
const probes = [
  '',
  ' ',
  'a',
  'Z',
  '0',
  '-1.5',
  'Quarterly report',
  'x\ny',
  '/home/user/a.txt',
  'ÄÖ',
  '漢字',
  '!?',
  '2024-01-31',
];

/** Folders that are there before anything is done. */
const always = /^\/(?:(?:home(?:\/[^/]+)?|tmp|etc|usr|usr\/bin|bin|var|opt|root|dev|proc|sys|mnt|srv|run|lib)\/?)?$/;
const constantCommands = new Set(['true', 'false', ':', 'echo', 'printf', 'yes']);

const plain = (text: string, rule: 'exact' | 'spaces' | 'loose') => comparable(text, rule) === '';

function toleranceProblem(value: unknown, tolerance = 0, relative = 0): string | undefined {
  if (relative >= 1) return `a relative tolerance of ${relative} admits nearly every number`;
  if (tolerance === 0) return undefined;
  if (typeof value !== 'number') return undefined;
  return tolerance >= Math.max(Math.abs(value), 1)
    ? `a tolerance of ${tolerance} around ${value} admits nearly every number`
    : undefined;
}

function patternProblem(source: string, ignoreCase: boolean): string | undefined {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, ignoreCase ? 'iu' : 'u');
  } catch (cause) {
    return `the pattern is none: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
  if (probes.every((probe) => pattern.test(probe))) return 'the pattern matches every text, also the empty one';
  if (probes.slice(1).every((probe) => pattern.test(probe)))
    return 'the pattern matches every text that is not empty; say `present`';
  // A repeated group that is itself repeated can take for ever on a text that nearly matches.
  return /\((?:[^()\\]|\\.)*[+*](?:[^()\\]|\\.)*\)[+*{]/.test(source)
    ? 'the pattern repeats a repetition, which can take for ever'
    : undefined;
}

const isRange = (expected: Expectation): expected is Extract<Expectation, { atLeast?: unknown }> =>
  Object.keys(expected).every((name) => name === 'atLeast' || name === 'atMost');

function expectationProblem(expected: Expectation, see: Look): string | undefined {
  if ('equals' in expected) return toleranceProblem(expected.equals, expected.tolerance, expected.relative);
  if ('day' in expected)
    return expected.days > 366 ? `a tolerance of ${expected.days} days admits nearly every date` : undefined;
  if (isRange(expected)) {
    const { atLeast, atMost } = expected;
    if (atLeast === undefined && atMost === undefined) return 'a range without ends admits every number';
    if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
      return `nothing is at least ${atLeast} and at most ${atMost}`;
    const sizes = ['slides', 'size', 'width', 'height', 'pages', 'count', 'images', 'tables'];
    return 'of' in see && sizes.includes(see.of) && atMost === undefined && (atLeast ?? 0) <= 0
      ? 'no size is below 0'
      : undefined;
  }
  if ('contains' in expected)
    return plain(expected.contains, expected.text) ? 'every text contains white space alone' : undefined;
  if ('matches' in expected) return patternProblem(expected.matches, expected.ignoreCase);
  if ('oneOf' in expected)
    return expected.oneOf.includes(true) && expected.oneOf.includes(false)
      ? 'true or false is always the case'
      : expected.oneOf.map((value) => toleranceProblem(value, expected.tolerance)).find((one) => one !== undefined);
  if ('list' in expected)
    return toleranceProblem(
      Math.max(0, ...expected.list.map((one) => (typeof one === 'number' ? Math.abs(one) : 0))),
      expected.tolerance,
      expected.relative,
    );
  if ('includes' in expected)
    return expected.includes
      .map((value) => toleranceProblem(value, expected.tolerance))
      .find((one) => one !== undefined);
  if ('count' in expected) {
    const { atLeast = 0, atMost } = expected.count;
    if (atMost === undefined) return atLeast === 0 ? 'every list has 0 members or more' : undefined;
    return atLeast > atMost ? `no list has at least ${atLeast} and at most ${atMost} members` : undefined;
  }
  if ('same' in expected)
    return canonicalJson(expected.same) === canonicalJson(see)
      ? 'it is compared with itself'
      : expected.relative !== undefined && expected.relative >= 1
        ? `a relative tolerance of ${expected.relative} admits nearly every number`
        : expected.tolerance !== undefined && expected.tolerance >= 1e6
          ? `a tolerance of ${expected.tolerance} admits nearly every number`
          : undefined;
  if ('looksLike' in expected) {
    if (canonicalJson(expected.looksLike) === canonicalJson(see)) return 'it is compared with itself';
    if (expected.share >= 1) return `when ${expected.share * 100} % of the pixels may differ, every picture does`;
    return expected.channel >= 255 ? 'when every channel may differ by 255, every picture does' : undefined;
  }
  return undefined;
}

function lookProblem(see: Look, expected: Expectation): string | undefined {
  if ((see.look === 'file' || see.look === 'folder') && see.of === 'exists') {
    if (always.test(see.path)) return `${see.path} is always there`;
    if ('present' in expected || 'absent' in expected || 'oneOf' in expected)
      return 'whether something exists is always known; say `equals` true or false';
  }
  if (see.look === 'sqlite') {
    if (!/^\s*(?:select|with)\b/i.test(see.query) || /;\s*\S/.test(see.query))
      return 'the query is not a single SELECT';
    if (!/\bfrom\b/i.test(see.query)) return 'the query reads no table, so its result is always the same';
  }
  if (see.look === 'command' && constantCommands.has(see.command[0] ?? ''))
    return `the command ${see.command[0]} always gives the same`;
  const isSize = see.look === 'picture' && see.of !== 'pixels';
  const pixels = (see.look === 'picture' && !isSize) || see.look === 'screenshot';
  if (pixels !== 'looksLike' in expected)
    return pixels ? 'pixels are compared by `looksLike` alone' : '`looksLike` compares pixels of pictures alone';
  if ('path' in see && see.path.startsWith('reference:'))
    return 'a hidden reference is the same whatever is done; look at the sandbox';
  return undefined;
}

/** Whether an assignment of truth to leaves makes a check hold. */
function holds(check: Check, truth: ReadonlyMap<string, boolean>): boolean {
  if ('all' in check) return check.all.every((one) => holds(one, truth));
  if ('any' in check) return check.any.some((one) => holds(one, truth));
  if ('not' in check) return !holds(check.not, truth);
  return truth.get(canonicalJson(check)) ?? false;
}

const MOST_ATOMS = 12;

/** Tries every assignment that the relations between the leaves allow. */
function byTable(
  check: Check,
  atoms: readonly CheckLeaf[],
  related: Constraints,
): { canHold: boolean; canFail: boolean } {
  const keys = atoms.map((atom) => canonicalJson(atom));
  let [canHold, canFail] = [false, false];
  for (let bits = 0; bits < 2 ** keys.length && !(canHold && canFail); bits += 1) {
    const is = (index: number) => ((bits >> index) & 1) === 1;
    if (related.exclusive.some(([a, b]) => is(a) && is(b)) || related.exhaustive.some(([a, b]) => !is(a) && !is(b)))
      continue;
    if (holds(check, new Map(keys.map((key, index) => [key, is(index)])))) canHold = true;
    else canFail = true;
  }
  return { canHold, canFail };
}

/** For checks with many leaves: what their shape shows. */
function byShape(check: Check): { canHold: boolean; canFail: boolean } {
  if (isLeaf(check)) return { canHold: true, canFail: true };
  if ('not' in check) {
    const { canHold, canFail } = byShape(check.not);
    return { canHold: canFail, canFail: canHold };
  }
  const isAll = 'all' in check;
  const members = isAll ? check.all : check.any;
  const parts = members.map(byShape);
  const keys = new Set(members.map((one) => canonicalJson(one)));
  const opposed = members.some((one) => 'not' in one && keys.has(canonicalJson(one.not)));
  const leaves = members.filter(isLeaf);
  const related = leaves.length <= 500 ? constraintsOf(leaves) : { exclusive: [], exhaustive: [] };
  return isAll
    ? {
        canHold: !opposed && related.exclusive.length === 0 && parts.every((part) => part.canHold),
        canFail: parts.some((part) => part.canFail),
      }
    : {
        canHold: parts.some((part) => part.canHold),
        canFail: !opposed && related.exhaustive.length === 0 && parts.every((part) => part.canFail),
      };
}

function emptyProblems(check: Check): string[] {
  if ('all' in check)
    return check.all.length === 0 ? ['`all` of nothing always holds'] : check.all.flatMap(emptyProblems);
  if ('any' in check)
    return check.any.length === 0 ? ['`any` of nothing never holds'] : check.any.flatMap(emptyProblems);
  return 'not' in check ? emptyProblems(check.not) : [];
}

/** What makes a check useless: parts that cannot fail, or a whole that cannot fail or cannot hold. Empty when nothing does. */
export function checkProblems(check: Check): string[] {
  const leaves = leavesOf(check);
  const own = leaves.flatMap((leaf) => {
    const problem = lookProblem(leaf.see, leaf.expect) ?? expectationProblem(leaf.expect, leaf.see);
    return problem === undefined ? [] : [`${lookText(leaf.see)}: ${problem}`];
  });
  const problems = [...new Set([...emptyProblems(check), ...own])];
  if (problems.length > 0 || leaves.length === 0) return problems;
  const atoms = [...new Map(leaves.map((leaf) => [canonicalJson(leaf), leaf])).values()];
  const { canHold, canFail } =
    atoms.length <= MOST_ATOMS ? byTable(check, atoms, constraintsOf(atoms)) : byShape(check);
  return [
    ...(canFail ? [] : ['the check holds whatever is done']),
    ...(canHold ? [] : ['the check holds never: its parts contradict each other']),
  ];
}

/** Checks that have passed `compileChecks`: each can hold and can fail. */
export type CompiledChecks = ReadonlyMap<string, Check>;

/**
 * Reads the checks of a file and refuses those that say nothing.
 * @throws ForgeError `params.invalid` with everything that is wrong
 */
export function compileChecks({ checks }: CheckFile): CompiledChecks {
  const repeated = checks.filter(({ id }, index) => checks.findIndex((other) => other.id === id) !== index);
  const problems = [
    ...repeated.map(({ id }) => `two checks have the id ${id}`),
    ...checks.flatMap(({ id, check }) => checkProblems(Check.parse(check)).map((problem) => `${id}: ${problem}`)),
  ];
  if (problems.length > 0)
    throw new ForgeError('params.invalid', `These checks decide nothing: ${problems.slice(0, 20).join('; ')}.`, {
      fix: 'Let each check look at what the work changes, so that it fails before and holds after.',
    });
  return new Map(checks.map(({ id, check }) => [id, Check.parse(check)]));
}
