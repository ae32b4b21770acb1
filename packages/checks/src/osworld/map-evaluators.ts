import type { Check } from '@cua-forge/spec/check';
import type { Expectation } from '@cua-forge/spec/check-expectation';
import type { Look } from '@cua-forge/spec/check-look';
import { z } from 'zod';
import { appearanceCheck, deletionCheck, desktopEvaluators } from './map-desktop.ts';
import { tableCheck } from './map-tables.ts';
import {
  browserSetting,
  browserSwitch,
  comparison,
  defaultPlayer,
  type EvaluatorParts,
  expectedPath,
  type MappedEvaluator,
  outputOf,
  resultPath,
  rulesOf,
} from './map-values.ts';

type Map = (parts: EvaluatorParts) => MappedEvaluator;

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const no = (why: string): MappedEvaluator => ({ why });
const notFile = ({ result }: EvaluatorParts) =>
  no(`it looks at ${result?.type ?? 'nothing'}, which is no file of the sandbox`);
const rulesOdd = no('its rules have another form');
const leaf = (see: Look, expect: Expectation): Check => ({ see, expect });
const contains = (see: Look, text: string): Check => leaf(see, { contains: text, text: 'exact' });

/** The same look at the file and at the one that it is compared with. */
const compared =
  (lookAt: (path: string) => Look, rules: { partly?: string; loose?: boolean } = {}): Map =>
  (parts) => {
    const [own, other] = [resultPath(parts.result), expectedPath(parts.expected)];
    if (own === undefined) return notFile(parts);
    if (other === undefined)
      return no(`what is expected is ${parts.expected?.type ?? 'nothing'}, which is no file that comes with the task`);
    const loose = rules.loose === true || parts.options.ignore_case === true;
    if (parts.options.fuzzy_match === true) return no('it compares texts by likeness');
    const check = leaf(lookAt(own), {
      same: lookAt(other),
      ordered: parts.options.ignore_order !== true,
      text: loose ? 'loose' : 'spaces',
    });
    return rules.partly === undefined ? { check } : { check, partly: rules.partly };
  };

/** A line of a settings file of VLC; what is not in the file has the program's own default. */
const vlc =
  (key: string, rule: string, usual: number | string): Map =>
  (parts) => {
    const path = resultPath(parts.result);
    const wanted = rulesOf(parts.expected, z.record(z.string(), Scalar))?.[rule];
    if (path === undefined) return notFile(parts);
    if (wanted === undefined) return rulesOdd;
    const setting = { look: 'setting', path, format: 'ini', key } as const;
    const is = leaf(setting, { equals: wanted, text: 'exact' });
    return { check: String(wanted) === String(usual) ? { any: [is, leaf(setting, { absent: true })] } : is };
  };

const Includes = z.object({ include: z.array(z.string()).default([]), exclude: z.array(z.string()).default([]) });
const Prefs = z.object({
  expect: z.record(z.string(), z.unknown()).default({}),
  unexpect: z.record(z.string(), z.unknown()).default({}),
});

function prefsCheck(parts: EvaluatorParts): MappedEvaluator {
  const [path, rules] = [resultPath(parts.result), rulesOf(parts.expected, Prefs)];
  if (path === undefined) return notFile(parts);
  if (rules === undefined) return rulesOdd;
  const all: Check[] = [];
  for (const [group, wanted] of Object.entries(rules))
    for (const [key, value] of Object.entries(wanted)) {
      const found = comparison(value);
      if (found === undefined) return no(`it compares ${key} in a way of its own`);
      const one = leaf({ look: 'setting', path, format: 'prefs', key }, found.expect);
      all.push((group === 'unexpect') !== found.negated ? { not: one } : one);
    }
  return { check: { all } };
}

function jsonCheck(parts: EvaluatorParts): MappedEvaluator {
  const path = resultPath(parts.result);
  const rules = rulesOf(
    parts.expected,
    z.object({ expect: z.array(z.looseObject({ key: z.array(z.union([z.string(), z.number().int()])) })) }),
  );
  if (path === undefined) return notFile(parts);
  if (rules === undefined) return rulesOdd;
  const all = rules.expect.map((rule) => {
    const found = comparison(rule);
    return found === undefined || found.negated
      ? undefined
      : leaf(
          { look: 'json', path, format: parts.options.is_yaml === true ? 'yaml' : 'json', at: rule.key },
          found.expect,
        );
  });
  const known = all.filter((one) => one !== undefined);
  return known.length < all.length ? no('it compares in a way of its own') : { check: { all: known } };
}

function bookmarksCheck(parts: EvaluatorParts): MappedEvaluator {
  const path = resultPath(parts.result);
  const rules = rulesOf(
    parts.expected,
    z.looseObject({ type: z.string(), names: z.array(z.string()).optional(), urls: z.array(z.string()).optional() }),
  );
  if (path === undefined || rules === undefined) return rulesOdd;
  const look = (of: 'bookmark-folders' | 'bookmark-urls', folder?: string) =>
    ({ look: 'browser', path, of, ...(folder === undefined ? {} : { folder }) }) as const;
  if (rules.type === 'bookmark_bar_folders_names' && rules.names !== undefined)
    return { check: leaf(look('bookmark-folders'), { list: rules.names, ordered: false, text: 'exact' }) };
  if (rules.type === 'bookmark_bar_websites_urls' && rules.urls !== undefined)
    return { check: leaf(look('bookmark-urls'), { list: rules.urls, ordered: false, text: 'exact' }) };
  const [folder] = rules.names ?? [];
  return folder !== undefined && rules.urls !== undefined
    ? { check: leaf(look('bookmark-urls', folder), { list: rules.urls, ordered: false, text: 'exact' }) }
    : rulesOdd;
}

const onOutput =
  <T>(schema: z.ZodType<T>, make: (see: Look, rules: T) => Check | undefined): Map =>
  (parts) => {
    const see = outputOf(parts.result, parts.produced) ?? browserSetting(parts.result) ?? defaultPlayer(parts.result);
    if (see === undefined)
      return no(`it looks at ${parts.result?.type ?? 'nothing'}, which is neither output of a command nor a setting`);
    const rules = rulesOf(parts.expected, schema);
    const check = rules === undefined ? undefined : make(see, rules);
    return check === undefined ? rulesOdd : { check };
  };

const onFile =
  <T>(schema: z.ZodType<T>, make: (path: string, rules: T) => Check | undefined): Map =>
  (parts) => {
    const path = resultPath(parts.result);
    if (path === undefined) return notFile(parts);
    const rules = rulesOf(parts.expected, schema);
    const check = rules === undefined ? undefined : make(path, rules);
    return check === undefined ? rulesOdd : { check };
  };

const file =
  (of: 'text' | 'lines') =>
  (path: string): Look => ({ look: 'file', path, of });
const expectedList = z.object({ expected: z.array(Scalar).min(1) });

const exactOutput = onOutput(z.object({ expected: Scalar }), (see, { expected }) =>
  leaf(see, { equals: expected, text: 'spaces' }),
);

const inList = onOutput(expectedList, (see, { expected }) => leaf(see, { oneOf: expected, text: 'spaces' }));

const Patterns = z.object({
  expect: z.array(z.string().min(1)).default([]),
  unexpect: z.array(z.string().min(1)).default([]),
});

/** Patterns of which each fits some line, and others that fit none. */
function linesCheck(see: Look, { expect, unexpect }: z.infer<typeof Patterns>): Check | undefined {
  const fits = (matches: string): Check => leaf(see, { matches, ignoreCase: false });
  return [...expect, ...unexpect].some((pattern) => /[$^]/.test(pattern))
    ? undefined
    : { all: [...expect.map(fits), ...unexpect.map((pattern): Check => ({ not: fits(pattern) }))] };
}

/** Evaluators by the name that tasks call them; what is not here has no counterpart. */
export const evaluators: Readonly<Record<string, Map>> = {
  ...desktopEvaluators,
  compare_table: (parts) => {
    const check = tableCheck(parts);
    return typeof check === 'string' ? no(check) : { check };
  },
  compare_docx_files: compared((path) => ({ look: 'document', path, of: 'paragraphs' })),
  compare_text_file: compared(file('text')),
  compare_csv: compared((path) => ({ look: 'csv', path, of: 'rows' }), { partly: 'the header line' }),
  compare_pdfs: compared((path) => ({ look: 'pdf', path, of: 'text' })),
  compare_pptx_files: compared((path) => ({ look: 'presentation', path, of: 'shapes' }), {
    partly: 'fonts, colours and alignment; places and texts are compared',
  }),
  check_include_exclude: onOutput(Includes, (see, { include, exclude }) => ({
    all: [
      ...include.map((text) => contains(see, text)),
      ...exclude.map((text): Check => ({ not: contains(see, text) })),
    ],
  })),
  exact_match: (parts) => {
    const deletion = deletionCheck(parts);
    if (deletion !== undefined) return deletion;
    const onOff = browserSwitch(parts.result);
    if (onOff === undefined) return exactOutput(parts);
    const wanted = rulesOf(parts.expected, z.object({ expected: z.enum(['true', 'false']) }))?.expected;
    if (wanted === undefined) return rulesOdd;
    const on = leaf(onOff, { equals: true, text: 'exact' });
    return {
      check:
        wanted === 'true'
          ? on
          : { any: [leaf(onOff, { equals: false, text: 'exact' }), leaf(onOff, { absent: true })] },
    };
  },
  check_font_size: (parts) => {
    const see = browserSetting(parts.result);
    const rules = rulesOf(
      parts.expected,
      z.union([
        z.looseObject({ type: z.literal('range'), min: z.number(), max: z.number() }),
        z.looseObject({ type: z.literal('value'), value: z.number() }),
      ]),
    );
    if (see === undefined || rules === undefined) return rulesOdd;
    if (rules.type === 'value') return { check: leaf(see, { equals: rules.value, text: 'exact' }) };
    // The original leaves both ends out.
    return { check: { all: [leaf(see, { atLeast: rules.min + 1 }), leaf(see, { atMost: rules.max - 1 })] } };
  },
  match_in_list: (parts) => appearanceCheck(parts) ?? inList(parts),
  is_extension_installed: onOutput(
    z.object({ type: z.enum(['contain', 'not_contain']), expected: z.string().min(1) }),
    (see, { type, expected }) => (type === 'contain' ? contains(see, expected) : { not: contains(see, expected) }),
  ),
  is_utc_0: ({ result }) => {
    const see = outputOf(result);
    return see === undefined ? rulesOdd : { check: contains(see, '+0000)') };
  },
  file_contains: onFile(z.object({ expected: z.array(z.string().min(1)).min(1) }), (path, { expected }) => ({
    all: expected.map((text) => contains(file('text')(path), text)),
  })),
  check_list: (parts) => {
    const path = resultPath(parts.result);
    const see = path === undefined ? outputOf(parts.result, parts.produced) : file('text')(path);
    if (see === undefined) return notFile(parts);
    const rules = rulesOf(parts.expected, Patterns);
    const check = rules === undefined ? undefined : linesCheck(see, rules);
    return check === undefined ? rulesOdd : { check };
  },
  check_json_settings: onFile(z.object({ expected: z.record(z.string(), Scalar) }), (path, { expected }) => ({
    all: Object.entries(expected).map(([key, equals]) =>
      leaf({ look: 'json', path, format: 'json', at: [key] }, { equals, text: 'exact' }),
    ),
  })),
  check_json: jsonCheck,
  check_config_status: onFile(
    z.looseObject({ key: z.string(), value: z.union([z.string(), z.number()]) }),
    (path, { key, value }) =>
      leaf(
        { look: 'setting', path, format: 'lisp', key },
        {
          equals:
            typeof value === 'string'
              ? (/^"(.*)"$/.exec(value)?.[1] ?? (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value))
              : value,
          text: 'exact',
        },
      ),
  ),
  check_thunderbird_prefs: prefsCheck,
  is_expected_bookmarks: bookmarksCheck,
  is_cookie_deleted: onFile(z.looseObject({ domains: z.array(z.string()).min(1) }), (path, { domains }) =>
    leaf({ look: 'browser', path, of: 'cookies' }, { excludes: domains, text: 'exact' }),
  ),
  check_moved_jpgs: ({ result, expected }) => {
    const [path, rules] = [z.string().startsWith('/').safeParse(result?.path).data, rulesOf(expected, expectedList)];
    return path === undefined || rules === undefined
      ? rulesOdd
      : { check: leaf({ look: 'folder', path, of: 'names' }, { list: rules.expected, ordered: false, text: 'exact' }) };
  },
  run_sqlite3: onFile(z.object({ sql: z.string() }), (path, { sql }) =>
    leaf({ look: 'sqlite', path, query: sql }, { equals: 1, text: 'exact' }),
  ),
  check_transition: onFile(
    z.object({ slide_idx: z.number().int().min(0), transition_type: z.string() }),
    (path, rules) =>
      leaf(
        { look: 'slide', path, slide: rules.slide_idx + 1, of: 'transition' },
        { equals: rules.transition_type, text: 'exact' },
      ),
  ),
  check_image_size: (parts) => {
    const path = resultPath(parts.result);
    const rules = rulesOf(
      parts.expected,
      z.looseObject({ width: z.number().optional(), height: z.number().optional() }),
    );
    if (path === undefined || rules === undefined) return rulesOdd;
    const sides = (['width', 'height'] as const).flatMap((of) =>
      rules[of] === undefined ? [] : [leaf({ look: 'picture', path, of }, { equals: rules[of], text: 'exact' })],
    );
    return { check: { all: sides }, partly: 'transparent edges are counted here' };
  },
  is_first_line_centered: (parts) => {
    const path = resultPath(parts.result);
    return path === undefined
      ? notFile(parts)
      : { check: leaf({ look: 'paragraph', path, at: 1, of: 'align' }, { equals: 'center', text: 'exact' }) };
  },
  has_page_numbers_in_footers: (parts) => {
    const path = resultPath(parts.result);
    return path === undefined
      ? notFile(parts)
      : { check: contains({ look: 'document', path, of: 'footer' }, '{page}') };
  },
  check_qt_bgcone: vlc('qt-bgcone', 'expected_qt_bgcone', 1),
  check_qt_max_volume: vlc('qt-max-volume', 'expected_qt_max_volume', 125),
  check_qt_minimal_view: vlc('qt-minimal-view', 'expected_qt_minimal_view', 0),
  check_play_and_exit: vlc('play-and-exit', 'expected_play_and_exit', 0),
  check_one_instance_when_started_from_file: vlc(
    'one-instance-when-started-from-file',
    'expected_one_instance_when_started_from_file',
    1,
  ),
  is_vlc_recordings_folder: vlc('input-record-path', 'recording_file_path', ''),
};

/** Why an evaluator has no counterpart, where more can be said than that. */
export const reasons: Readonly<Record<string, string>> = {
  infeasible: 'the task cannot be done, and no end state shows that it was refused',
  is_expected_active_tab: 'it looks at pages of the public web',
  is_expected_tabs: 'it looks at pages of the public web',
  check_direct_json_object: 'it looks at pages of the public web',
  check_accessibility_tree: 'it looks at the accessibility tree',
};
