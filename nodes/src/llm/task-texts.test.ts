import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { HiddenAnswers, Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { scriptedModels } from '@cua-forge/testing/scripted-models';
import { describe, expect, it } from 'vitest';
import { exampleAnswers, exampleSpecification } from '../spec/example-specification.ts';
import { instruction } from './instruction.node.ts';
import { phrasings } from './instruction-plans.ts';
import { instructionProblems } from './instruction-rules.ts';
import { publicBrief } from './public-brief.ts';
import { rubric } from './rubric.node.ts';
import { withUnitWeights } from './rubric-rules.ts';

const spec = TaskSpecification.parse(exampleSpecification);
const rehearsing = (seed: number) => testContext({ models: rehearsalModels(), seed });
const run = (kind: typeof rubric, context = testContext()) =>
  kind.execute({ params: kind.params.parse({}), inputs: { spec }, extra: {}, context });

describe('llm.instruction', () => {
  it('rehearses in many voices, each naming what it must and giving nothing away', () => {
    const texts = phrasings(spec);
    expect(new Set(texts).size).toBe(30);
    for (const text of texts) {
      for (const mention of spec.outcome.mentions) expect(text).toContain(mention);
      expect(findAnswerLeaks(text, HiddenAnswers.parse(exampleAnswers).answers)).toEqual([]);
      expect(text).not.toMatch(/\/home|\.\.|undefined| {2,}|,\s*[.?]|[.?] [a-z]/);
    }
  });

  it('asks once more when it can see what is wrong, and leaves the second answer to the gates', async () => {
    const models = scriptedModels(['Dana has a sheet in /home/user/orders.xlsx.', 'Second']);
    expect(await run(instruction, testContext({ models }))).toEqual({ instruction: 'Second' });
    const said = models.requests[1]?.messages.at(-1)?.content;
    for (const wrong of ['first person', 'absolute path', 'has 6 words', '"Overview"']) expect(said).toContain(wrong);
    const sent = 'I want the end state of Amount in Overview of orders.xlsx. Best, [Your name]';
    expect(instructionProblems(sent, spec)).toEqual([
      expect.stringContaining('placeholder'),
      expect.stringContaining('directions'),
      expect.stringContaining('words'),
    ]);
    for (const phrasing of phrasings(spec)) expect(instructionProblems(phrasing, spec)).toEqual([]);
  });

  it('draws by seed', async () => {
    const texts = await Promise.all(
      Array.from({ length: 12 }, async (_, seed) => (await run(instruction, rehearsing(seed))).instruction),
    );
    expect(new Set(texts).size).toBeGreaterThan(5);
    expect((await run(instruction, rehearsing(3))).instruction).toBe(texts[3]);
  });

  it('shows a model names and headings, but no rows and no paths', async () => {
    const message = `Hi, I need ${spec.outcome.mentions.join(', ')} in order before the review, please, so that we can all see where we stand.`;
    const models = scriptedModels([message]);
    expect(await run(instruction, testContext({ models, feedback: ['Mention Overview.'] }))).toEqual({
      instruction: message,
    });
    const asked = JSON.stringify(models.requests[0]?.messages);
    expect(asked).toContain('orders.xlsx: Orders (Date, Amount)');
    expect(asked).toContain('Mention Overview.');
    expect(asked).not.toMatch(/1200\.5|\/home/);
    expect(publicBrief(spec)).not.toContain('/home');
  });
});

describe('llm.rubric', () => {
  it('covers each requirement with weights that sum to 1', async () => {
    const made = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map(async (seed) => (await run(rubric, rehearsing(seed))).rubric),
    );
    for (const value of made) {
      const { criteria } = Rubric.parse(value);
      expect(criteria.map(({ id }) => id)).toEqual(['sheet', 'totals', 'bold-header']);
      expect(criteria.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    }
    expect(new Set(made.map((value) => JSON.stringify(value))).size).toBeGreaterThan(2);
  });

  it('asks again when a must requirement is not covered', async () => {
    const criterion = {
      id: 'sheet',
      text: 'There is a sheet',
      weight: 2,
      evidence: 'the file',
    };
    const whole = {
      criteria: [
        criterion,
        { ...criterion, id: 'totals', text: 'Each month has its sum', weight: 3 },
        { ...criterion, id: 'bold-header', text: 'The header is bold', weight: 1 },
      ],
    };
    const twice = { criteria: [criterion, criterion, { ...criterion, id: 'bold-header' }] };
    const models = scriptedModels([twice, whole]);
    const result = Rubric.parse((await run(rubric, testContext({ models }))).rubric);
    expect(result.criteria.map(({ weight, must, judge }) => [weight, must, judge])).toEqual([
      [0.333, true, 'model'],
      [0.5, true, 'model'],
      [0.167, false, 'model'],
    ]);
    expect(models.requests[1]?.messages.at(-1)?.content).toContain('totals');
    expect(models.requests[0]?.schema).toMatchObject({
      properties: {
        criteria: {
          minItems: 3,
          maxItems: 3,
          items: { properties: { id: { enum: ['sheet', 'totals', 'bold-header'] } } },
        },
      },
    });
  });

  it('keeps every weight positive when it normalises', () => {
    const criterion = { text: 'x', must: true, judge: 'model' as const, evidence: 'y' };
    const criteria = [
      { ...criterion, id: 'a', weight: 100_000 },
      { ...criterion, id: 'b', weight: 1 },
    ];
    expect(withUnitWeights({ criteria }).criteria.map(({ weight }) => weight)).toEqual([0.999, 0.001]);
  });
});
