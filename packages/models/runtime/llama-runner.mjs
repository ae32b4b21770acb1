// Runs in a process of its own, so that a fault of the native code ends nothing but this process.
// Arguments: entry file of node-llama-cpp, model file, context tokens, threads.
// Reads one JSON object a line, { id, messages, system?, schema?, maxTokens, temperature, seed } or { cancel: id }, and writes
// { ready }, { failed }, { id, text, finish, input, cached, output } or { id, error, reason }. One request at a time, in order.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [entry, modelPath, contextTokens, threads] = process.argv.slice(2);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const textOf = (error) => (error instanceof Error ? error.message : String(error));

let parts;
try {
  const { getLlama, LlamaChat } = await import(pathToFileURL(entry).href);
  // Not among the package's exports; the version is pinned.
  const grammars = new URL('utils/gbnfJson/getGbnfGrammarForGbnfJsonSchema.js', pathToFileURL(entry));
  const { getGbnfGrammarForGbnfJsonSchema } = await import(grammars.href);
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    logLevel: 'error',
    progressLogs: false,
    logger: (level, message) => process.stderr.write(`${level}: ${message}\n`),
    maxThreads: Number(threads),
  });
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize: Math.min(Number(contextTokens), model.trainContextSize) });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  parts = { llama, model, context, sequence, chat, getGbnfGrammarForGbnfJsonSchema };
} catch (error) {
  say({ failed: textOf(error) });
  process.exit(1);
}
const { llama, model, context, sequence, chat, getGbnfGrammarForGbnfJsonSchema } = parts;
say({ ready: true });

const cancelled = new Set();
let running = null;
const queue = [];

/** Turns that follow each other from one side become one, as chat templates expect. */
function historyOf({ system, messages }) {
  const history = system === undefined ? [] : [{ type: 'system', text: system }];
  for (const { role, content } of messages) {
    const last = history.at(-1);
    if (role === 'assistant') history.push({ type: 'model', response: [content] });
    else if (last?.type === 'user') last.text += `\n\n${content}`;
    else history.push({ type: 'user', text: content });
  }
  return [...history, { type: 'model', response: [] }];
}

/** JSON without line breaks and indentation: what a small model would spend a third of its tokens on. */
function grammarOf(schema) {
  return llama.createGrammar({
    grammar: getGbnfGrammarForGbnfJsonSchema(schema, { allowNewLines: false, scopePadSpaces: 0 }),
    stopGenerationTriggers: ['\n\n\n\n'],
    trimWhitespaceSuffix: true,
  });
}

async function answer(request) {
  const { id, schema, maxTokens, temperature, seed } = request;
  const history = historyOf(request);
  const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
  const input = contextText.tokenize(model.tokenizer).length;
  // A context that is shifted would drop the beginning of the prompt without a word.
  if (input + maxTokens > context.contextSize)
    return say({
      id,
      error: `The prompt has ${input} tokens and the answer may have ${maxTokens}; the context holds ${context.contextSize}.`,
      reason: 'too-large',
    });
  const controller = new AbortController();
  running = { id, controller };
  const before = sequence.tokenMeter.getState();
  try {
    const grammar = schema === undefined ? undefined : await grammarOf(schema);
    const { response, metadata } = await chat.generateResponse(history, {
      ...(grammar === undefined ? {} : { grammar }),
      maxTokens,
      temperature,
      seed,
      ...(temperature > 0 ? { topP: 0.95, minP: 0.05 } : {}),
      signal: controller.signal,
      stopOnAbortSignal: false,
    });
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
    const finish = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
    say({ id, text: response, finish, input, cached: Math.max(0, input - usedInputTokens), output: usedOutputTokens });
  } catch (error) {
    say({ id, error: textOf(error), reason: controller.signal.aborted ? 'cancelled' : 'failed' });
  } finally {
    running = null;
  }
}

let working = false;
async function work() {
  if (working) return;
  working = true;
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    if (cancelled.delete(request.id)) say({ id: request.id, error: 'cancelled', reason: 'cancelled' });
    else await answer(request).catch((error) => say({ id: request.id, error: textOf(error), reason: 'failed' }));
  }
  working = false;
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.cancel === undefined) {
    queue.push(message);
    void work();
  } else if (running?.id === message.cancel) running.controller.abort();
  else if (queue.some(({ id }) => id === message.cancel)) cancelled.add(message.cancel);
});
// Whoever started it is gone.
lines.on('close', () => process.exit(0));
