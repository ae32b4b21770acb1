import type { Json } from '@cua-forge/spec/json';
import { type CodeLanguage, jsonataFunctions, liquidFilters, liquidTags } from './languages.ts';

/** One thing that an expression or template sees by name: an input port, with its value in the last run. */
export interface ScopeEntry {
  type: string;
  /** Where it comes from, for people; empty when nothing feeds it. */
  from: string;
  /** Absent when no run gave one, or it may not be shown. */
  value?: Json;
}

export interface Scope {
  entries: Readonly<Record<string, ScopeEntry>>;
  /** Name of the entry that is the expression's whole input (`$`); null when the input is an object of all entries. */
  root: string | null;
}

export interface Completion {
  label: string;
  detail: string;
  kind: 'port' | 'field' | 'function' | 'keyword';
}

export interface Completions {
  /** Place in the text where what is completed begins. */
  from: number;
  options: Completion[];
}

/** What may stand at `at`; null where nothing is offered. */
export function completionsAt(language: CodeLanguage, text: string, at: number, scope: Scope): Completions | null {
  const before = text.slice(0, at);
  return language === 'liquid' ? liquidAt(before, scope) : jsonataAt(before, scope);
}

const PATH = /(?:\$\.|\$)?[A-Za-z_$][\w$]*(?:\[[^\]]*\]|\.[A-Za-z_]\w*|\.)*$|\$\.$|\$$/;

function jsonataAt(before: string, scope: Scope): Completions | null {
  if (inString(before)) return null;
  const call = /\$([A-Za-z]\w*)?$/.exec(before);
  if (call !== null && !/[\w.\]]\$\w*$/.test(before)) {
    const whole: Completion[] = scope.root === null ? [] : [{ label: '$', detail: 'the input', kind: 'port' }];
    return { from: call.index, options: [...whole, ...jsonataFunctions.map(functionOf)] };
  }
  const path = PATH.exec(before)?.[0] ?? '';
  const word = /\w*$/.exec(path)?.[0] ?? '';
  const from = before.length - word.length;
  const dot = path.lastIndexOf('.');
  if (dot < 0) {
    const options = scope.root === null ? ports(scope) : fields(scope.entries[scope.root]?.value);
    return options.length === 0 ? null : { from, options };
  }
  const steps = stepsOf(path.slice(0, dot));
  const start = steps[0]?.startsWith('$') === true ? steps.slice(1) : steps;
  return { from, options: fields(valueAt(start, scope, true)) };
}

function liquidAt(before: string, scope: Scope): Completions | null {
  const open = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (open < 0 || /[}%]\}/.test(before.slice(open))) return null;
  const inside = before.slice(open + 2);
  if (inString(inside)) return null;
  const word = /[A-Za-z_]\w*$/.exec(inside)?.[0] ?? '';
  const from = before.length - word.length;
  const lead = inside.slice(0, inside.length - word.length);
  if (/\|\s*$/.test(lead))
    return { from, options: liquidFilters.map((label) => ({ label, detail: 'filter', kind: 'function' })) };
  if (before.startsWith('{%', open) && /^-?\s*$/.test(lead))
    return { from, options: liquidTags.map((label) => ({ label, detail: 'tag', kind: 'keyword' })) };
  const path = /[A-Za-z_]\w*(?:\[[^\]]*\]|\.\w+)*\.$/.exec(lead)?.[0];
  if (path === undefined) return { from, options: [...loopNames(before), ...ports(scope)] };
  return { from, options: fields(valueAt(liquidSteps(path.slice(0, -1), before), scope, false)) };
}

/** `row` of `{% for row in facts.lines %}` stands for the first member of that list. */
const loops = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/\{%-?\s*for\s+(\w+)\s+in\s+([\w.]+)/g)].map(([, name = '', list = '']) => [name, list]));

const loopNames = (text: string): Completion[] =>
  [...loops(text)].map(([label, list]) => ({ label, detail: `of ${list}`, kind: 'port' }));

function liquidSteps(path: string, text: string, depth = 0): string[] {
  const [first = '', ...rest] = stepsOf(path);
  const list = loops(text).get(first);
  return list === undefined || depth > 8 ? [first, ...rest] : [...liquidSteps(list, text, depth + 1), '0', ...rest];
}

const stepsOf = (path: string): string[] =>
  path
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((step) => step !== '');

/** JSONata looks through lists; Liquid names a member. */
function valueAt(steps: readonly string[], scope: Scope, throughLists: boolean): Json | undefined {
  const [first, ...rest] = scope.root === null ? steps : [scope.root, ...steps];
  let value = first === undefined ? undefined : scope.entries[first]?.value;
  for (const step of rest) {
    if (throughLists && Array.isArray(value) && !/^\d+$/.test(step)) value = value[0];
    value = memberOf(value, step);
  }
  return throughLists && Array.isArray(value) ? value[0] : value;
}

function memberOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? value[step] : undefined;
}

const ports = (scope: Scope): Completion[] =>
  Object.entries(scope.entries).map(([label, { type, from }]) => ({
    label,
    detail: from === '' ? type : `${type} ← ${from}`,
    kind: 'port',
  }));

function fields(value: Json | undefined): Completion[] {
  const from = Array.isArray(value) ? value[0] : value;
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return [];
  return Object.entries(from)
    .filter(([label]) => /^[A-Za-z_]\w*$/.test(label))
    .map(([label, each]) => ({ label, detail: short(each), kind: 'field' }));
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const functionOf = (name: string): Completion => ({ label: `$${name}`, detail: 'function', kind: 'function' });

/** Whether the text ends within quotes. */
function inString(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (quote !== '' && letter === '\\') at += 1;
    else if (letter === quote) quote = '';
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
  }
  return quote !== '';
}
