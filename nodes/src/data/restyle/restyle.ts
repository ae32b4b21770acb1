import { ForgeError } from '@cua-forge/spec/errors';
import { baseName } from '@cua-forge/spec/required-file';
import type { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { type Random, randomFrom } from '../random.ts';
import type { Change, Planted } from './change.ts';
import { changesOfFacts } from './changes-of-facts.ts';
import { changesOfLayout } from './changes-of-layout.ts';
import { changesOfStyle } from './changes-of-style.ts';
import { changesOfText } from './changes-of-text.ts';
import { documentOf } from './draft.ts';
import { draftOf } from './layout.ts';
import type { Outline } from './outline.ts';
import { FinalDraft } from './proof.ts';

const changes: readonly Change[] = [...changesOfStyle, ...changesOfText, ...changesOfFacts, ...changesOfLayout];
export const changeIds = changes.map(({ id }) => id);

export interface RestyleTask {
  outcome: TaskSpecification['outcome'];
  file: RequiredFile;
  hidden: HiddenAnswers;
  traits: Record<string, string>;
}

/** The wished change first, then others that go with all before them. */
function choose(wish: string, count: number, random: Random): Change[] {
  const first = changes.find(({ id }) => id === wish);
  if (first === undefined) {
    throw new ForgeError('input.invalid', `There is no change called "${wish}".`, {
      fix: `Use one of: ${changeIds.join(', ')}.`,
      place: { port: 'change' },
    });
  }
  const chosen = [first];
  for (const change of random.shuffle(changes)) {
    if (chosen.length >= count) break;
    const fits = chosen.every(
      (other) => other !== change && !other.conflicts.includes(change.id) && !change.conflicts.includes(other.id),
    );
    if (fits) chosen.push(change);
  }
  return chosen;
}

const listed = (items: readonly string[]) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;

/**
 * Makes a task from an outline: the document with faults, the same without, and what is asked for. `wish` is the change that the task
 * is about; where the document does not allow it, others take its place.
 * @throws ForgeError `input.invalid` for a change that does not exist
 */
export function restyleTask(outline: Outline, wish: string, path: string, company: string, seed: number): RestyleTask {
  const random = randomFrom(seed, 'restyle');
  const { draft, traits } = draftOf(outline, company, randomFrom(seed, 'layout'));
  const count = random.integer(2, 4);
  const chosen = choose(wish, count + 2, random);
  const done: { change: Change; planted: Planted }[] = [];
  for (const change of [...chosen].sort((a, b) => a.phase - b.phase)) {
    // Two are chosen beyond those wanted, in case the document does not allow some; the wished one always has its turn.
    if (done.length >= count - (done.some((one) => one.change.id === wish) || change.id === wish ? 0 : 1)) continue;
    const planted = change.plant(draft, randomFrom(seed, change.id));
    if (planted !== undefined) done.push({ change, planted });
  }
  const name = baseName(path);
  const given = documentOf(draft, 'given');
  const solved = documentOf(draft, 'solved');
  const main = done.find(({ change }) => change.id === wish) ?? done[0];
  const final = new FinalDraft(draft, path);
  const proofs = done.flatMap(({ planted }) => planted.proofs?.(final) ?? []).filter(({ check }) => check.length > 0);
  const rest = done.filter((one) => one !== main).map(({ change }) => change.id);
  return {
    outcome: {
      kind: [main?.change.id ?? wish, ...rest.sort()].join(' + '),
      summary: `${name} has ${listed(done.map(({ planted }) => planted.aim))}`,
      requirements: done.flatMap(({ planted }) => planted.requirements),
      mentions: [...new Set([name, ...done.flatMap(({ planted }) => planted.mentions ?? [])])],
    },
    file: { id: 'document', path, type: 'docx', content: given },
    hidden: {
      answers: done.flatMap(({ planted }) => planted.answers ?? []),
      expected: [{ id: 'document', path, type: 'docx', content: solved }],
      checks: proofs.map(({ id, check }) => ({ id, check: { all: check } })),
      variants: proofs.map(({ id, doc, variant }) => ({
        requirement: id,
        doc,
        expected: [{ id: 'document', path, type: 'docx', content: variant }],
      })),
      derivation: `The faults were put in: ${done.map(({ planted }) => planted.note).join('; ')}.`,
    },
    traits: {
      ...traits,
      changes: done
        .map(({ change }) => change.id)
        .sort()
        .join(', '),
      forms: done.map(({ change, planted }) => `${change.id}: ${planted.label}`).join('; '),
    },
  };
}
