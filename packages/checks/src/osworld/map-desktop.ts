import type { Check } from '@cua-forge/spec/check';
import type { Look } from '@cua-forge/spec/check-look';
import { z } from 'zod';
import {
  accessible,
  appearance,
  browserProfile,
  type EvaluatorParts,
  type MappedEvaluator,
  outputOf,
  resultPath,
  rulesOf,
} from './map-values.ts';

type Map = (parts: EvaluatorParts) => MappedEvaluator;
const rulesOdd: MappedEvaluator = { why: 'its rules have another form' };
const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** All orders of a few things. */
function orders<T>(given: readonly T[]): T[][] {
  if (given.length < 2) return [[...given]];
  return given.flatMap((first, index) => orders(given.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

/** Copies what the address bar of the browser in front holds, and leaves the bar again. */
const copyAddress = `window=$(xdotool search --onlyvisible --class chromium | tail -1)
[ -n "$window" ] || exit 1
xdotool windowactivate --sync "$window"
xdotool key ctrl+l
sleep 0.5
xdotool key ctrl+c
sleep 0.5
timeout 5 xclip -o -selection clipboard
xdotool key Escape Escape`;

/** Address of the page in front. The browser here shows its address bar to no assistive technology. */
const address = (result: EvaluatorParts['result']): Look | undefined =>
  result?.type === 'active_url_from_accessTree' && (result.goto_prefix ?? '') === ''
    ? { look: 'command', command: ['bash', '-c', copyAddress], of: 'output' }
    : undefined;

const elsewhere: MappedEvaluator = { why: 'it looks at pages of the public web' };

function activeTab(parts: EvaluatorParts): MappedEvaluator {
  const see = address(parts.result);
  if (see === undefined) return elsewhere;
  const url = rulesOf(parts.expected, z.looseObject({ type: z.literal('url'), url: z.string() }))?.url;
  return url?.startsWith('chrome://') === true
    ? { check: { see, expect: { matches: `^${escaped(url.replace(/\/$/, ''))}/?\\s*$`, ignoreCase: false } } }
    : elsewhere;
}

function activeAddress(parts: EvaluatorParts): MappedEvaluator {
  const see = address(parts.result);
  const patterns = rulesOf(parts.expected, z.looseObject({ expected: z.array(z.string().min(1)).min(1) }))?.expected;
  if (see === undefined || patterns === undefined || !patterns.every((one) => one.includes('chrome://')))
    return elsewhere;
  const ends = (pattern: string): string => pattern.replace(/\$$/, '\\s*$');
  return {
    check: { all: patterns.map((one): Check => ({ see, expect: { matches: ends(one), ignoreCase: false } })) },
  };
}

/** Light, dark or as the system: what is chosen is kept as a number, and nothing where nobody chose. */
export function appearanceCheck({ result, expected }: EvaluatorParts): MappedEvaluator | undefined {
  if (result?.type !== 'chrome_appearance_mode_ui') return undefined;
  const wanted = rulesOf(expected, z.object({ expected: z.array(z.enum(['system', 'light', 'dark'])).min(1) }));
  if (wanted === undefined) return rulesOdd;
  const codes = wanted.expected.map((one) => ['system', 'light', 'dark'].indexOf(one));
  const is: Check = { see: appearance, expect: { oneOf: codes, text: 'exact' } };
  return {
    check: wanted.expected.includes('system') ? { any: [is, { see: appearance, expect: { absent: true } }] } : is,
  };
}

/** Whether cookies go when the browser ends. The original looks whether anything is set there; Debian's browser has something of payments from the start. */
export function deletionCheck({ result, expected }: EvaluatorParts): MappedEvaluator | undefined {
  if (result?.type !== 'data_delete_automacally') return undefined;
  const wanted = rulesOf(expected, z.object({ expected: z.enum(['true', 'false']) }))?.expected;
  if (wanted === undefined) return rulesOdd;
  const deletes: Check = {
    see: {
      look: 'json',
      path: `${browserProfile}/Preferences`,
      format: 'json',
      at: ['profile', 'default_content_setting_values', 'cookies'],
    },
    expect: { equals: 4, text: 'exact' },
  };
  return { check: wanted === 'true' ? deletes : { not: deletes } };
}

function keybindings(parts: EvaluatorParts): MappedEvaluator {
  const path = resultPath(parts.result);
  const rules = rulesOf(parts.expected, z.object({ expected: z.record(z.string(), Scalar) }));
  if (path === undefined || rules === undefined || Object.keys(rules.expected).length > 4) return rulesOdd;
  const see: Look = { look: 'json', path, format: 'json', at: [] };
  // An entry is seen as its text, and the members of an object have no order.
  return {
    check: {
      any: orders(Object.entries(rules.expected)).map(
        (entries): Check => ({
          see,
          expect: { includes: [JSON.stringify(Object.fromEntries(entries))], text: 'exact' },
        }),
      ),
    },
  };
}

function settingsText(parts: EvaluatorParts): MappedEvaluator {
  const path = resultPath(parts.result);
  const text = rulesOf(parts.expected, z.object({ expected: z.string().min(1) }))?.expected;
  if (path === undefined || text === undefined) return rulesOdd;
  if (parts.options.containment_ok !== true)
    return { check: { see: { look: 'file', path, of: 'text' }, expect: { equals: text, text: 'spaces' } } };
  try {
    const wanted = z.record(z.string(), Scalar).parse(JSON.parse(text));
    return {
      check: {
        all: Object.entries(wanted).map(
          ([key, equals]): Check => ({
            see: { look: 'json', path, format: 'json', at: [key] },
            expect: { equals, text: 'exact' },
          }),
        ),
      },
    };
  } catch {
    return rulesOdd;
  }
}

/** Evaluators that look at what a desktop and its programs show and keep. */
export const desktopEvaluators: Readonly<Record<string, Map>> = {
  is_expected_active_tab_approximate: activeTab,
  is_expected_url_pattern_match: activeAddress,
  check_json_keybindings: keybindings,
  compare_config: settingsText,
  check_gnome_favorite_apps: ({ result, expected }) => {
    const see = outputOf(result);
    const rules = rulesOf(expected, z.object({ expected: z.array(z.string()).min(1).max(5) }));
    if (see === undefined || rules === undefined) return rulesOdd;
    const written = orders(rules.expected).map((names) => `[${names.map((name) => `'${name}'`).join(', ')}]`);
    return { check: { see, expect: { oneOf: written, text: 'spaces' } } };
  },
  check_left_panel: ({ result }) =>
    result?.type === 'accessibility_tree'
      ? {
          check: {
            see: accessible('soffice', 'select(.name == "Slides View" and (.states | index("showing"))) | .name'),
            expect: { contains: 'Slides View', text: 'exact' },
          },
        }
      : rulesOdd,
  check_line_number: ({ result, expected }) => {
    const path = resultPath(result);
    const wanted = rulesOf(expected, z.object({ expected: z.union([z.string(), z.number()]) }))?.expected;
    if (path === undefined || wanted === undefined) return rulesOdd;
    // Lines with a time of day are counted.
    const command = ['grep', '-cE', '([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)', path];
    return {
      check: { see: { look: 'command', command, of: 'output' }, expect: { equals: String(wanted), text: 'spaces' } },
    };
  },
  check_image_file_size: ({ result, expected }) => {
    const path = resultPath(result);
    const largest = rulesOf(expected, z.object({ max_size: z.number().int().min(1) }))?.max_size;
    return path === undefined || largest === undefined
      ? rulesOdd
      : { check: { see: { look: 'file', path, of: 'size' }, expect: { atMost: largest - 1 } } };
  },
  check_qt_slider_colours: ({ result, expected }) => {
    const path = resultPath(result);
    const rules = rulesOf(
      expected,
      z.union([
        z.looseObject({ type: z.literal('blackish') }),
        z.looseObject({ type: z.literal('match'), expected_qt_slider_colours: z.string() }),
      ]),
    );
    if (path === undefined || rules === undefined) return rulesOdd;
    const see = { look: 'setting', path, format: 'ini', key: 'qt-slider-colours' } as const;
    return {
      check:
        rules.type === 'match'
          ? { see, expect: { equals: rules.expected_qt_slider_colours, text: 'exact' } }
          : // Each part of each colour is below 100.
            { see, expect: { matches: '^\\d{1,2}(;\\d{1,2})*$', ignoreCase: false } },
    };
  },
};
