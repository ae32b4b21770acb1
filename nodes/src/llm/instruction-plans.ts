import { baseName } from '@cua-forge/spec/required-file';
import type { TaskSpecification } from '@cua-forge/spec/task';

/** What the sentence plans speak of; clauses start in lower case and have no full stop. */
interface Brief {
  person: string;
  role: string;
  company: string;
  motive: string;
  /** What the files are, as a plural. */
  things: string;
  file: string;
  outcome: string;
  /** The same where the file was named just before. */
  itsOutcome: string;
  musts: string[];
  wishes: string[];
  rules: string[];
}

/** Words that a clause may start with and that stay as they are. */
const capitalised = /^(?:I\b|[A-Z][\p{L}\p{N}]*[A-Z\d&.]|["“'‘])/u;

function clause(text: string, names: readonly string[]): string {
  const plain = text.trim().replace(/[.!\s]+$/, '');
  if (capitalised.test(plain) || names.some((name) => startsWithName(plain, name))) return plain;
  return plain.slice(0, 1).toLowerCase() + plain.slice(1);
}

const startsWithName = (text: string, name: string) =>
  name !== '' && text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));

function sentence(text: string): string {
  const plain = text.trim().replace(/[.\s]+$/, '');
  const capital = /^\S+\.\w/.test(plain) ? plain : plain.slice(0, 1).toUpperCase() + plain.slice(1);
  return /[!?:]$/.test(capital) ? capital : `${capital}.`;
}

/** A purpose (“to close the books”) becomes a clause of its own. */
function reason(motive: string): string {
  if (motive.startsWith('to ')) return `I need ${motive}`;
  return motive.startsWith('for ') ? `I need it ${motive}` : motive;
}

function listed(items: readonly string[], last: string): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`;
}

function briefOf(spec: TaskSpecification): Brief {
  const { scenario, outcome, files, constraints } = spec;
  const names = [scenario.person, scenario.company, ...outcome.mentions];
  const texts = (must: boolean) =>
    outcome.requirements.filter((one) => one.must === must).map((one) => clause(one.text, names));
  const mentioned = files.map(({ path }) => baseName(path)).filter((name) => outcome.mentions.includes(name));
  const file = listed(mentioned.length > 0 ? mentioned : files.slice(0, 1).map(({ path }) => baseName(path)), 'and');
  const wanted = clause(outcome.summary, names);
  return {
    person: scenario.person,
    role: clause(scenario.role, names),
    company: scenario.company,
    motive: reason(clause(scenario.motive, names)),
    things: spec.domain === 'documents' ? 'Documents' : 'Spreadsheets',
    file,
    outcome: wanted,
    itsOutcome: wanted.startsWith(`${file} `) ? `it${wanted.slice(file.length)}` : wanted,
    musts: texts(true),
    wishes: texts(false),
    rules: constraints.map((one) => clause(one, names)),
  };
}

interface Plan {
  open(brief: Brief): string;
  close?(brief: Brief): string;
}

/** Ways to open and close: who asks, why, for what. The motive is a clause that may follow “because”. */
const plans: readonly Plan[] = [
  {
    open: ({ person, role, company, motive, file, itsOutcome }) =>
      `Hi, ${person} here, ${role} at ${company}. ${sentence(motive)} Could you work on ${file} for me so that, when you are done, ${itsOutcome}?`,
  },
  {
    open: ({ company, motive, file, outcome }) =>
      `I need a hand with ${file}. ${sentence(motive)} What I want to have in front of me at ${company} is this: ${outcome}.`,
  },
  {
    open: ({ role, company, motive, file, outcome }) =>
      `As the ${role} at ${company} I keep coming back to ${file}, and now it has to do more, because ${motive}. Please see to it that ${outcome}.`,
  },
  {
    open: ({ motive, things, file, outcome }) =>
      `It comes down to one thing: ${outcome}. ${things === 'Documents' ? 'The text' : 'The data'} is all in ${file}. I am asking because ${motive}.`,
    close: ({ person }) => `Thanks! ${person}`,
  },
  {
    open: ({ motive, file, itsOutcome }) =>
      `Because ${motive}, I would like ${file} finished today. In short, I hope that ${itsOutcome}.`,
    close: ({ person, company }) => `Thank you, ${person} (${company})`,
  },
  {
    open: ({ motive, things, file, itsOutcome }) =>
      `Would you take care of ${file}? ${things} are not my strong side, and ${motive}. By the end, I hope that ${itsOutcome}.`,
    close: ({ person, role }) => `${person}, ${role}`,
  },
  {
    open: ({ company, motive, file, itsOutcome }) =>
      `Quick request from ${company}: please finish ${file}, so that ${itsOutcome}. The reason for the rush is that ${motive}.`,
  },
  {
    open: ({ motive, file, itsOutcome }) =>
      `You have ${file} there, right? ${sentence(motive)} I will be happy once ${itsOutcome}.`,
    close: ({ person, company }) => `That would help me a lot. ${person}, ${company}`,
  },
  {
    open: ({ role, company, motive, file, itsOutcome }) =>
      `I look after this at ${company} (I am the ${role}), and ${motive}. So take ${file} and bring it to the point where ${itsOutcome}.`,
  },
  {
    open: ({ motive, file, outcome }) =>
      `${sentence(motive)} That is why I am handing you ${file}. The result I am after: ${outcome}.`,
    close: ({ person, role }) => `Regards, ${person} (${role})`,
  },
];

/** Ways to say what must hold. */
const details: readonly ((brief: Brief) => string)[] = [
  ({ musts }) => {
    const [first, ...others] = musts;
    const last = others.length > 1 ? others.pop() : undefined;
    const parts = [
      ...(first === undefined ? [] : [`It matters to me that ${first}.`]),
      ...others.map((must, index) => (index === 0 ? `Also, ${must}.` : sentence(must))),
      ...(last === undefined ? [] : [`And please make sure that ${last}.`]),
    ];
    return parts.join(' ');
  },
  ({ musts }) =>
    musts.length === 0
      ? ''
      : `I will look for the following:\n${musts.map((must) => `- ${sentence(must)}`).join('\n')}`,
  ({ musts }) => `${musts.length > 1 ? 'There are a few things to get right. ' : ''}${musts.map(sentence).join(' ')}`,
];

const extras: readonly ((brief: Brief) => string)[] = [
  ({ wishes, rules }) =>
    [wishes.length === 0 ? '' : `Ideally, ${listed(wishes, 'and')}.`, rules.map(sentence).join(' ')]
      .filter(Boolean)
      .join(' '),
  ({ wishes, rules }) =>
    [
      rules.length === 0 ? '' : `One condition: ${listed(rules, 'and')}.`,
      wishes.length === 0 ? '' : `It would be nice if, on top of that, ${listed(wishes, 'and')}.`,
    ]
      .filter(Boolean)
      .join(' '),
];

/** Instructions in the person's voice, one for each sentence plan, made from the public specification alone. */
export function phrasings(spec: TaskSpecification): string[] {
  const brief = briefOf(spec);
  const { mentions } = spec.outcome;
  return plans.flatMap(({ open, close }, first) =>
    details.map((detail, second) => {
      const extra = extras[(first + second) % extras.length];
      const gap = second === 1 ? '\n\n' : ' ';
      const body = [open(brief), detail(brief), extra?.(brief) ?? ''].filter((part) => part !== '').join(gap);
      const missing = mentions.filter((mention) => !body.includes(mention));
      const names = missing.length === 0 ? '' : ` So that we mean the same names: ${listed(missing, 'and')}.`;
      return `${body}${names}${close === undefined ? '' : `${second === 0 ? ' ' : '\n\n'}${close(brief)}`}`;
    }),
  );
}
