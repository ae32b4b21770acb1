import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { loadSkillFile } from '../documents/skill-file.ts';
import { checkInput } from './check-input.ts';
import { storeValue } from './store-value.ts';

interface Sources {
  artifacts: ArtifactStore;
  skillsFolder: string;
  /** Values of the run that this one starts from; they stand in for inputs that are not given. */
  base?: Record<string, ValueRef>;
}

/**
 * Finds a value for every input of a document, given ones first, then those of the base run, then defaults, and stores each.
 * @throws ForgeError `input.invalid` naming the input that is unknown, missing or of the wrong type
 */
export async function resolveInputs(
  document: GraphDocument,
  given: JsonObject,
  sources: Sources,
): Promise<Record<string, ValueRef>> {
  const { artifacts, skillsFolder, base = {} } = sources;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(document.inputs, name));
  if (unknown !== undefined) {
    const known = Object.keys(document.inputs);
    throw new ForgeError('input.invalid', `"${document.id}" has no input "${unknown}".`, {
      fix:
        known.length === 0 ? 'It takes no inputs.' : `Its inputs are ${known.map((name) => `"${name}"`).join(', ')}.`,
      place: { port: unknown },
    });
  }
  const resolved: Record<string, ValueRef> = {};
  for (const [name, input] of Object.entries(document.inputs)) {
    let value: Json | undefined = Object.hasOwn(given, name) ? given[name] : undefined;
    const earlier = Object.hasOwn(base, name) ? base[name] : undefined;
    if (value === undefined && earlier !== undefined) {
      resolved[name] = earlier;
      continue;
    }
    if (value === undefined && input.type === 'file' && typeof input.default === 'string') {
      value = await loadSkillFile(skillsFolder, document.id, name, input.default, artifacts);
    }
    value ??= input.default;
    if (value === undefined) {
      throw new ForgeError('input.invalid', `"${document.id}" needs a value for its input "${name}" (${input.type}).`, {
        fix: input.doc ?? `Give "${name}" a value.`,
        place: { port: name },
      });
    }
    await checkInput(name, input.type, value, artifacts);
    resolved[name] = await storeValue(artifacts, value, input.type);
  }
  return resolved;
}
