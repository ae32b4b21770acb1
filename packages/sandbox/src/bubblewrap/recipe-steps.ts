import { ForgeError } from '@cua-forge/spec/errors';

/** What has to be done to a root file system, in the order of the recipe. Paths of `from` are in the folder of the recipe, or in the other root. */
export type RecipeStep =
  | { do: 'run'; command: string }
  | { do: 'copy'; from: readonly string[]; to: string; root: string | null }
  | { do: 'unpack'; archive: string; to: string }
  | { do: 'env'; name: string; value: string };

/** A part of the recipe that begins with another part, or with a base. */
interface Stage {
  name: string;
  from: string;
  steps: RecipeStep[];
}

/** The instructions of a Dockerfile, with lines that go on joined. */
function instructions(text: string): [name: string, rest: string][] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return [name.toUpperCase(), rest];
    });
}

function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const [name, rest] of instructions(text)) {
    if (name === 'FROM') {
      const [, from = '', as = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ name: as, from, steps: [] });
      continue;
    }
    const steps = stages.at(-1)?.steps;
    switch (name) {
      case 'RUN':
        steps?.push({ do: 'run', command: rest });
        break;
      case 'COPY': {
        const [, root = null, paths = ''] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(rest) ?? [];
        const words = paths.split(/\s+/);
        steps?.push({ do: 'copy', from: words.slice(0, -1), to: words.at(-1) ?? '/', root: root ?? null });
        break;
      }
      case 'ADD': {
        const [archive = '', to = '/'] = rest.split(/\s+/);
        steps?.push({ do: 'unpack', archive, to });
        break;
      }
      case 'ENV':
        for (const [, variable = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g))
          steps?.push({ do: 'env', name: variable, value });
        break;
      // What a container is started with; a root file system is not.
      case 'ARG':
      case 'USER':
      case 'WORKDIR':
      case 'CMD':
        break;
      default:
        throw new ForgeError(
          'internal',
          `The recipe of the desktop has an instruction ${name} that no root can be made by.`,
        );
    }
  }
  return stages;
}

/** The steps from a base to a part of the recipe; `until` leaves out what another part has in common with it. @throws ForgeError `internal` for an unknown part */
export function recipeSteps(dockerfile: string, target: string): RecipeStep[] {
  const stages = stagesOf(dockerfile);
  const steps: RecipeStep[] = [];
  for (let name = target; ; ) {
    const stage = stages.find((one) => one.name === name);
    if (stage === undefined) throw new ForgeError('internal', `The recipe of the desktop has no part '${name}'.`);
    steps.unshift(...stage.steps);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the base is an argument of the recipe
    if (stage.from === '${BASE_IMAGE}') return steps;
    name = stage.from;
  }
}
