import { packageGate } from '@cua-forge/gates/package/package.gate';
import { phrasings } from '@cua-forge/nodes/llm/instruction-plans';
import { draftRubrics, withUnitWeights } from '@cua-forge/nodes/llm/rubric-rules';
import { Rubric } from '@cua-forge/spec/task';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';

const check = {
  answers: 'the instruction gives no answer away',
  setup: 'the instruction tells no setup detail',
  names: 'the instruction names what it must',
  files: 'files that the instruction names exist',
  whole: 'the instruction is a whole text',
  covers: 'the rubric covers every must requirement',
  nothing: 'the rubric demands nothing else',
  ids: 'criteria have ids of their own',
  weights: 'weights sum to 1',
  setupRubric: 'no criterion is about the setup',
  same: 'setup and specification name the same files',
  checked: 'the setup places the checked files',
};
type Criterion = Rubric['criteria'][number];

const harmless = [
  'Two colleagues will read it, so keep it short.',
  'When I open it I want to see the result first.',
  'Thanks, I owe you one. It is due on 12 March 2026.',
  'Could you set it up so that it prints well?',
  'We launch a new product soon, hence the rush.',
  'The environment team will read it as well.',
  'Start with the oldest entry, and/or the smallest.',
  'I have 1,200 other things to do today.',
];
const setupTalk = [
  'The setup has put it there.',
  'It lies in /home/user/Documents/.',
  'A script copied the file for you.',
  'You work in a sandbox.',
  'Run soffice first.',
  'LibreOffice Calc is already open.',
  'The desktop has been prepared for this.',
  'The file was pre-loaded.',
];
const numberForms: ((value: number) => string)[] = [
  (value) => value.toLocaleString('en-US', { maximumFractionDigits: 2 }),
  (value) => value.toLocaleString('de-DE', { maximumFractionDigits: 2 }),
  (value) => String(value),
  (value) => `$${value.toFixed(2)}`,
];

export const packageCorpus: GateCorpus = {
  gate: packageGate,
  async examples() {
    const bases = await basePackages();
    interface Change {
      instruction?: string;
      rubric?: Rubric;
      script?: Base['script'];
      files?: Base['prepared'];
    }
    const show = (base: Base, change: Change = {}) => ({
      inputs: {
        instruction: base.instruction,
        rubric: base.rubric,
        script: base.script,
        files: base.prepared,
        spec: base.spec,
        hidden: base.hidden,
        ...change,
      },
    });
    const criteria = (base: Base, change: (criteria: Criterion[]) => void, weigh = true): Change => {
      const rubric = changed(base.rubric, (copy) => change(copy.criteria));
      return { rubric: weigh ? withUnitWeights(rubric) : rubric };
    };
    const telling = bases.flatMap((base) =>
      base.hidden.answers.flatMap(({ value }) =>
        typeof value === 'number' && value >= 1000 && String(value).replace('.', '').length >= 5
          ? [{ base, value }]
          : [],
      ),
    );
    return [
      ...bases.map((base) => good(base.name, show(base))),
      ...harmless.map((more, i) =>
        good(more, show(at(bases, i * 2), { instruction: `${at(bases, i * 2).instruction} ${more}` })),
      ),
      ...bases.slice(0, 8).map((base, i) =>
        good(
          `${base.name}, told otherwise`,
          show(base, {
            instruction: at(phrasings(base.spec), i + 11),
            rubric: withUnitWeights(Rubric.parse(at(draftRubrics(base.spec), i + 1))),
          }),
        ),
      ),
      ...numberForms.flatMap((form, i) =>
        [0, 1].map((n) => {
          const { base, value } = at(telling, i * 13 + n * 5);
          return bad(
            'an answer',
            check.answers,
            form(value),
            show(base, { instruction: `${base.instruction} I think the result is ${form(value)}.` }),
          );
        }),
      ),
      ...setupTalk.map((more, i) =>
        bad(
          'the setup',
          check.setup,
          more,
          show(at(bases, i * 3), { instruction: `${at(bases, i * 3).instruction} ${more}` }),
        ),
      ),
      ...[1, 6, 11].map((i) => {
        const base = at(bases, i);
        const [mention = ''] = base.spec.outcome.mentions;
        return bad(
          'a name left out',
          check.names,
          mention,
          show(base, { instruction: base.instruction.replaceAll(mention, 'that file') }),
        );
      }),
      ...['budget_old.xlsx', 'notes2.txt'].map((name, i) =>
        bad(
          'a file that is not there',
          check.files,
          name,
          show(at(bases, i * 4 + 2), { instruction: `${at(bases, i * 4 + 2).instruction} Compare with ${name}.` }),
        ),
      ),
      ...['{{ person }}', '[Company Name]', 'undefined'].map((more, i) =>
        bad(
          'an unfilled place',
          check.whole,
          more,
          show(at(bases, i * 5), { instruction: `${at(bases, i * 5).instruction} Regards, ${more}` }),
        ),
      ),
      ...[0, 7].map((i) =>
        bad(
          'a must without criterion',
          check.covers,
          at(bases, i).name,
          show(
            at(bases, i),
            criteria(at(bases, i), (all) => all.shift()),
          ),
        ),
      ),
      ...[3, 12].map((i) =>
        bad(
          'a must made optional',
          check.covers,
          at(bases, i).name,
          show(
            at(bases, i),
            criteria(at(bases, i), (all) => {
              at(all, 0).must = false;
            }),
          ),
        ),
      ),
      ...[2, 9].map((i) =>
        bad(
          'a demand of its own',
          check.nothing,
          at(bases, i).name,
          show(
            at(bases, i),
            criteria(at(bases, i), (all) => all.push({ ...at(all, 0), id: 'more', must: true })),
          ),
        ),
      ),
      bad(
        'an id twice',
        check.ids,
        'the first',
        show(
          at(bases, 8),
          criteria(at(bases, 8), (all) => all.push({ ...at(all, 0) })),
        ),
      ),
      bad(
        'weights',
        check.weights,
        'doubled',
        show(
          at(bases, 5),
          criteria(
            at(bases, 5),
            (all) => {
              for (const one of all) one.weight *= 2;
            },
            false,
          ),
        ),
      ),
      ...['The setup script ran', 'LibreOffice Calc was launched'].map((text, i) =>
        bad(
          'judges the setup',
          check.setupRubric,
          text,
          show(
            at(bases, i + 4),
            criteria(at(bases, i + 4), (all) => all.push({ ...at(all, 0), id: 'more', must: false, text })),
          ),
        ),
      ),
      ...[1, 10].map((i) =>
        bad(
          'placed elsewhere',
          check.same,
          at(bases, i).name,
          show(at(bases, i), {
            script: changed(at(bases, i).script, ({ operations }) => {
              for (const one of operations) if (one.op === 'place-file') one.path = `${one.path}.bak`;
            }),
          }),
        ),
      ),
      ...[4, 13].map((i) =>
        bad(
          'not the checked file',
          check.checked,
          at(bases, i).name,
          show(at(bases, i), { files: at(bases, i).prepared.map((file) => ({ ...file, hash: 'b'.repeat(64) })) }),
        ),
      ),
    ];
  },
};
