import type { Check } from '@cua-forge/spec/check';
import type { Expectation } from '@cua-forge/spec/check-expectation';
import type { Look } from '@cua-forge/spec/check-look';
import { z } from 'zod';
import type { OsworldGetter } from './osworld-task.ts';

/** What an evaluator of a task is given. */
export interface EvaluatorParts {
  result: OsworldGetter | undefined;
  expected: OsworldGetter | undefined;
  options: Record<string, unknown>;
  /** Files that steps before the check write, by their names: the output of a command. */
  produced: ReadonlyMap<string, Look>;
}

/** A check, or the reason why there is none. `partly`: what the original looks at besides. */
export type MappedEvaluator = { check: Check; partly?: string } | { why: string };

/** The browser here is Chromium, whose profiles have the same form. */
export const browserProfile = '/home/user/.config/chromium/Default';
const profile = browserProfile;

/** A command of the original, on the browser that is here. */
export const onChromium = (command: string): string => command.replaceAll('.config/google-chrome', '.config/chromium');

/** What of light and dark the browser has. */
export const appearance: Look = {
  look: 'json',
  path: `${profile}/Preferences`,
  format: 'json',
  at: ['browser', 'theme', 'color_scheme'],
};
const Paths = z.union([
  z.string(),
  z
    .array(z.string())
    .min(1)
    .transform(([first = '']) => first),
]);

/** Path of the file that is looked at; undefined where it is none of the sandbox. */
export function resultPath(result: OsworldGetter | undefined): string | undefined {
  if (result === undefined) return undefined;
  if (result.type === 'vlc_config') return '/home/user/.config/vlc/vlcrc';
  if (result.type === 'gimp_config_file')
    return `/home/user/.config/GIMP/2.10/${z.string().catch('gimprc').parse(result.file_name)}`;
  if (result.type === 'bookmarks' || result.type === 'cookie_data') return profile;
  if (result.type !== 'vm_file') return undefined;
  const path = Paths.safeParse(result.path).data;
  return path?.startsWith('/') === true ? path : undefined;
}

/** Path of the file that it is compared with: one that comes with the task, or another of the sandbox. */
export function expectedPath(expected: OsworldGetter | undefined): string | undefined {
  if (expected?.type === 'vm_file') return resultPath(expected);
  if (expected?.type !== 'cloud_file') return undefined;
  const name = Paths.safeParse(expected.dest).data;
  return name === undefined ? undefined : `reference:${name.replaceAll('/', '_')}`;
}

/** Prints what of the accessibility tree of an application fits a filter of jq. */
export const accessible = (application: string, filter: string): Look => ({
  look: 'command',
  command: [
    'bash',
    '-c',
    'python3 /opt/desktop/agent/accessibility.py 20000 "$1" 2>/dev/null | jq -r "[.nodes[] | $2] | last // empty"',
    'tree',
    application,
    filter,
  ],
  of: 'output',
});

/** The rules of an expectation of type `rule`, read with a schema. */
export function rulesOf<T>(expected: OsworldGetter | undefined, schema: z.ZodType<T>): T | undefined {
  return expected?.type === 'rule' ? schema.safeParse(expected.rules).data : undefined;
}

/** The command whose output is looked at. */
export function outputOf(result: OsworldGetter | undefined, produced?: EvaluatorParts['produced']): Look | undefined {
  if (result?.type === 'cache_file') return produced?.get(z.string().catch('').parse(result.path));
  // Of a terminal, what it shows; it has to be one that says so to assistive technology.
  if (result?.type === 'vm_terminal_output') return accessible('gnome-terminal', 'select(.role == "terminal") | .text');
  if (result?.type !== 'vm_command_line') return undefined;
  const command = z.union([z.string(), z.array(z.string()).min(1)]).safeParse(result.command).data;
  return command === undefined ? undefined : commandOutput(command, result.shell === true);
}

/** What a command of the original prints. */
export function commandOutput(given: string | string[], shell: boolean): Look {
  const command = typeof given === 'string' ? onChromium(given) : given.map(onChromium);
  const parts =
    typeof command === 'string'
      ? ['bash', '-c', command]
      : shell || command.includes('|')
        ? ['bash', '-c', command.join(' ')]
        : command;
  return { look: 'command', command: parts, of: 'output' };
}

const chromeSettings: Record<string, readonly string[]> = {
  profile_name: ['profile', 'name'],
  default_search_engine: ['default_search_provider_data', 'template_url_data', 'short_name'],
  chrome_font_size: ['webkit', 'webprefs', 'default_font_size'],
};

const chromeSwitches: Record<string, readonly string[]> = {
  enable_do_not_track: ['enable_do_not_track'],
  enable_safe_browsing: ['safebrowsing', 'enabled'],
  enable_enhanced_safety_browsing: ['safebrowsing', 'enhanced'],
};

/** A switch of the browser that is on or off. */
export function browserSwitch(result: OsworldGetter | undefined): Look | undefined {
  const at = chromeSwitches[result?.type ?? ''];
  return at === undefined ? undefined : { look: 'json', path: `${profile}/Preferences`, format: 'json', at: [...at] };
}

/** Programs that open videos, by the desktop's own list. */
export function defaultPlayer(result: OsworldGetter | undefined): Look | undefined {
  return result?.type === 'default_video_player'
    ? { look: 'command', command: ['xdg-mime', 'query', 'default', 'video/mp4'], of: 'output' }
    : undefined;
}

/** A setting of the browser, in its file of preferences. */
export function browserSetting(result: OsworldGetter | undefined): Look | undefined {
  const at = chromeSettings[result?.type ?? ''];
  return at === undefined ? undefined : { look: 'json', path: `${profile}/Preferences`, format: 'json', at: [...at] };
}

const Method = z.object({ method: z.string(), ref: z.union([z.string(), z.number(), z.boolean()]) });

/** A comparison by name, as `eq` or `approx:0.01`; undefined for those that have no counterpart. */
export function comparison(given: unknown): { expect: Expectation; negated: boolean } | undefined {
  const parsed = Method.safeParse(given);
  if (!parsed.success) return undefined;
  const { method, ref } = parsed.data;
  const equals = (tolerance?: number): Expectation => ({
    equals: ref,
    text: 'exact',
    ...(tolerance === undefined ? {} : { tolerance }),
  });
  if (method === 'eq' || method === 'ne') return { expect: equals(), negated: method === 'ne' };
  const approx = /^approx:(\d*\.?\d+)$/.exec(method)?.[1];
  if (approx !== undefined && typeof ref === 'number') return { expect: equals(Number(approx)), negated: false };
  if (typeof ref === 'number') {
    if (method === 'ge' || method === 'lt') return { expect: { atLeast: ref }, negated: method === 'lt' };
    if (method === 'le' || method === 'gt') return { expect: { atMost: ref }, negated: method === 'gt' };
  }
  if (typeof ref !== 'string') return undefined;
  if (method === 'str_list_eq') return undefined;
  return method.startsWith('re') && ref !== ''
    ? { expect: { matches: ref, ignoreCase: false }, negated: false }
    : undefined;
}
