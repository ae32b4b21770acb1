/** Words that speak of how the computer was prepared, with what to call them in feedback. */
const patterns: readonly [RegExp, string][] = [
  [/(?<![\w.])(?:~|\/(?:home|tmp|usr|etc|opt|var|root|mnt|media))\/[^\s"'”’)]*/iu, 'a path of the computer'],
  [/\bset-?ups?\b/iu, 'the setup'],
  [/\b(?:bash |shell |python |setup )?scripts?\b/iu, 'a script'],
  [/\bsand-?box(?:ed|es)?\b|\bdocker\b|\bvirtual machine\b|\bVMs?\b/iu, 'the sandbox'],
  [/\b(?:sudo|chmod|mkdir|soffice|xdotool|apt-get|curl|wget|nohup|bash)\b|```|(?:^|\n)\s*\$ \w/iu, 'a command'],
  [/\bpre-?(?:loaded|installed|opened|populated|configured)\b/iu, 'what was prepared'],
  [
    /\b(?:environment|desktop|computer|machine)\b[^.!?\n]{0,30}\b(?:prepared|initiali[sz]ed|provisioned|configured)\b/iu,
    'what was prepared',
  ],
];

const launching =
  '(?:open(?:ed)?|launch(?:ed|ing)?|start(?:ed|ing)?|boot(?:ed|ing)?|run(?:ning)?|fir(?:e|ed|ing)) (?:up )?(?:the |a |an )?(?:application |app |program )?';

/** `libreoffice-calc` → the names that a text may call it by. */
function namesOf(application: string): string[] {
  const words = application.split('-');
  const last = words.at(-1) ?? application;
  return [...new Set([words.join(' '), application, ...(words.length > 1 ? [words[0] ?? '', last] : [])])].filter(
    (name) => name.length > 2,
  );
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function launchPatterns(applications: readonly string[]): [RegExp, string][] {
  const names = applications.flatMap(namesOf).map(escaped).join('|');
  const subject = `(?:${names}|application|app|program)`;
  return [
    [new RegExp(`\\b${launching}(?:${names})\\b`, 'iu'), 'launching the application'],
    [/\b(?:launch|start)(?:es|ed|ing)? (?:the |an? )?(?:application|app|program)\b/iu, 'launching the application'],
    [
      new RegExp(
        `\\b${subject}\\b (?:has |have |is |was |will )?(?:already |be |been )*(?:open|opened|launched|started|running)\\b`,
        'iu',
      ),
      'launching the application',
    ],
  ];
}

export interface SetupDetail {
  what: string;
  found: string;
}

/** Setup details that a text gives away. `names` (of files, sheets, columns) may contain such words. */
export function setupDetails(text: string, applications: readonly string[], names: readonly string[]): SetupDetail[] {
  const plain = [...names]
    .sort((a, b) => b.length - a.length)
    .reduce((left, name) => (name === '' ? left : left.replaceAll(name, ' ')), text.normalize('NFKC'));
  return [...patterns, ...launchPatterns(applications)].flatMap(([pattern, what]) => {
    const found = pattern.exec(plain)?.[0];
    return found === undefined ? [] : [{ what, found: found.trim() }];
  });
}
