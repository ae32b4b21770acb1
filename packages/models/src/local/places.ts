import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';

/** Version of node-llama-cpp that the local provider runs on; `runtime/package-lock.json` pins its files. */
export const runtimeVersion = '3.21.1';

export const runtimeFolder = (cacheFolder: string): string => join(cacheFolder, `llama-runtime-${runtimeVersion}`);

/** The package's entry file; it is there when the runtime is installed. */
export const runtimeEntry = (cacheFolder: string): string =>
  join(runtimeFolder(cacheFolder), 'node_modules/node-llama-cpp/dist/index.js');

export const weightsFolder = (cacheFolder: string): string => join(cacheFolder, 'models');

/** Weights by the name they were pulled under, or a path to a .gguf file. */
export const weightsFile = (cacheFolder: string, model: string): string =>
  model.endsWith('.gguf') ? model : join(weightsFolder(cacheFolder), `${model}.gguf`);

/** Name of a local model in labels and prices: without its folder and ending. */
export const localName = (model: string): string => basename(model, '.gguf');

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** @throws ForgeError `tool.missing` that says which command gets what is not there */
export async function requireLocal(cacheFolder: string, model: string): Promise<{ entry: string; weights: string }> {
  const [entry, weights] = [runtimeEntry(cacheFolder), weightsFile(cacheFolder, model)];
  if (!(await isThere(weights))) {
    throw new ForgeError('tool.missing', `The local model ${localName(model)} is not here: there is no ${weights}.`, {
      fix: `Run forge models pull ${model.endsWith('.gguf') ? 'NAME' : model}, or give the path of a .gguf file as the model's name.`,
    });
  }
  if (!(await isThere(entry))) {
    throw new ForgeError(
      'tool.missing',
      `The runtime for local models (node-llama-cpp ${runtimeVersion}) is not here.`,
      {
        fix: 'Run forge models pull --runtime: it installs it once, about 80 MB, beside the models.',
      },
    );
  }
  return { entry, weights };
}
