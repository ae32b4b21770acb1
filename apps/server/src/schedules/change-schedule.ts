import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { Json, type JsonObject } from '@cua-forge/spec/json';
import type { MovedSchedule, Publication } from '@cua-forge/spec/publication';
import type { ChangeSchedule, ScheduleRecord, ScheduleSettings, ScheduleView } from '@cua-forge/spec/schedule';
import { partOf } from '../batches/start-batch.ts';
import { getJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';
import { findSchedule, viewSchedule } from './schedules.ts';

/** Most schedules that are looked at when a revision is published. */
const most = 10_000;

/** The inputs that were given for a schedule, read back from where they are kept. */
async function givenInputs({ store }: Services, { part, given }: ScheduleRecord): Promise<JsonObject> {
  const names = given ?? Object.keys(part.inputs);
  const inputs: JsonObject = {};
  for (const name of names) {
    const ref = part.inputs[name];
    if (ref !== undefined) inputs[name] = await getJson(store.artifacts, ref.hash, Json, `input "${name}"`);
  }
  return inputs;
}

/** What a changed schedule runs: its document and inputs, frozen anew. A seed that is not given goes on where the schedule is. */
async function settingsOf(services: Services, schedule: ScheduleRecord, change: ChangeSchedule) {
  const { part, fired } = schedule;
  const revision = change.revision ?? schedule.revision ?? part.revision ?? 'latest';
  const inputs = change.inputs ?? (await givenInputs(services, schedule));
  const prove = change.prove ?? schedule.prove ?? false;
  const count = change.count ?? part.count;
  const advance = change.advance ?? schedule.advance;
  const seed = change.seed ?? (schedule.advance ? part.seed + fired * part.count : part.seed);
  const { documentId } = part;
  const frozen = await partOf(services, { documentId, revision, inputs, count, seed, prove });
  const settings: ScheduleSettings = {
    ...{ title: change.title ?? schedule.title, revision, given: Object.keys(inputs), prove, advance },
    ...{ timing: change.timing ?? schedule.timing, overlap: change.overlap ?? schedule.overlap },
    ...{ window: change.window ?? schedule.window, budget: change.budget ?? schedule.budget },
    // Turns count from the first seed on, so that it is put back by those that were.
    part: { ...frozen, seed: advance ? seed - fired * count : seed },
  };
  return settings;
}

/**
 * Changes what a schedule runs and when. A change that the engine does not take is not kept.
 * @throws ForgeError `not-found`, `document.invalid`, `input.invalid`, `temporal.unreachable`
 */
export async function changeSchedule(services: Services, id: string, change: ChangeSchedule): Promise<ScheduleView> {
  const { store, engine, locks } = services;
  return locks.with(`schedule/${id}`, async () => {
    const schedule = await findSchedule(services, id);
    const settings = await settingsOf(services, schedule, change);
    await engine.schedules.update({ ...schedule, ...settings });
    const changed = await store.meta.updateSchedule(id, settings);
    if (changed === null) throw new ForgeError('not-found', `Schedule "${id}" was deleted meanwhile.`);
    return viewSchedule(services, changed);
  });
}

/** Moves the schedules that follow what is published of a document. One whose inputs no longer fit stays where it is, and says why. */
export async function followPublished(
  services: Services,
  { documentId, revision }: Publication,
): Promise<MovedSchedule[]> {
  const { store, locks } = services;
  const following = (await store.meta.listSchedules(most)).filter(
    (schedule) => schedule.revision === 'published' && schedule.part.documentId === documentId,
  );
  const moved: MovedSchedule[] = [];
  for (const { id, title } of following) {
    try {
      await locks.with(`schedule/${id}`, async () => {
        const schedule = await findSchedule(services, id);
        if (schedule.part.revision === revision) return;
        await store.meta.updateSchedule(id, await settingsOf(services, schedule, {}));
      });
      moved.push({ id, title, refused: null });
    } catch (thrown) {
      moved.push({ id, title, refused: toForgeError(thrown).message });
    }
  }
  return moved;
}
