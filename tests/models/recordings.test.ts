import { afterEach, describe, expect, it } from 'vitest';
import { keptRecordings, outcomeOf, servicesReplaying } from '../support/kept-recordings.ts';
import type { RunningServices } from '../support/services.ts';

const recordings = keptRecordings();

let services: RunningServices | undefined;
afterEach(async () => {
  await services?.stop();
  services = undefined;
});

it('there are recordings, and packages among what they make', () => {
  expect(recordings.length).toBeGreaterThan(0);
  for (const { skill, outcomes } of recordings)
    expect(
      outcomes.filter((outcome) => 'files' in outcome),
      skill,
    ).not.toHaveLength(0);
});

describe.each(recordings)('answers that $model gave for $skill', ({ skill, model, outcomes }) => {
  it('make the same packages again, with no model, and fail where they failed', async () => {
    services = await servicesReplaying(skill, model);
    for (const outcome of outcomes) expect(await outcomeOf(services, skill, outcome.seed)).toEqual(outcome);
    const { runs } = await services.api.runs({});
    const [first] = runs;
    expect((await services.api.run(first?.id ?? '')).usage.providers).toEqual(['replay:local']);
  });
});
