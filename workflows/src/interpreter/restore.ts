import type { Slot } from '@cua-forge/spec/engine';
import type { Interpreter } from './interpreter.ts';
import type { Command, Execution, ExecutionFacts, Result } from './state.ts';
import { splitPath } from './state.ts';

/** The store's memory of a run, as the restoring worker asks for it. */
export interface Recall {
  /** Newest committed result of an execution with these facts, or null. */
  outcome(facts: ExecutionFacts): Promise<Result | null>;
  split(
    command: Extract<Command, { type: 'split' }>,
  ): Promise<{ count: number; succeeded: number[]; failed: number[] }>;
  until(command: Extract<Command, { type: 'until' }>): Promise<boolean>;
}

/**
 * Brings a new interpreter (regions off) to where the store says the run had come: commands that were done are answered from memory. Returns the commands that are still to be carried out.
 */
export async function restore(interpreter: Interpreter, recall: Recall): Promise<Command[]> {
  const queue = interpreter.apply({ type: 'start' });
  let open: Command[] = [];
  for (;;) {
    // Approvals and delays that were decided: their outcome stands in for the wait.
    if (queue.length === 0) queue.push(...(await answerAwaiting(interpreter, recall)));
    const command = queue.shift();
    if (command === undefined) break;
    switch (command.type) {
      case 'execute': {
        for (const execution of command.executions) {
          const result = await recall.outcome(factsOf(command.scope, execution));
          if (result)
            queue.push(...interpreter.apply({ type: 'finished', key: execution.key, token: execution.token, result }));
          else open.push({ ...command, executions: [execution] });
        }
        break;
      }
      case 'record':
      case 'collect': {
        const inputs =
          command.type === 'record'
            ? slotsOf(command.inputs)
            : {
                items: [command.list],
                ...Object.fromEntries(Object.entries(command.shared).map(([port, slot]) => [port, [slot]])),
              };
        const { key, node, params, token, round, attempt } = command;
        // A collection names the scope of the items; what is recalled is the map itself.
        const scope = interpreter.state.instances[splitPath(key).instance]?.scope ?? command.scope;
        const result = await recall.outcome({ key, scope, node, params, inputs, feedback: [], token, round, attempt });
        if (result) queue.push(...interpreter.apply({ type: 'finished', key, token, result }));
        else open.push(command);
        break;
      }
      case 'split':
        queue.push(
          ...interpreter.apply({
            type: 'split',
            key: command.key,
            token: command.token,
            ...(await recall.split(command)),
            keepFailed: true,
          }),
        );
        break;
      case 'until':
        queue.push(
          ...interpreter.apply({
            type: 'until',
            key: command.key,
            token: command.token,
            holds: await recall.until(command),
            outputs: command.outputs,
          }),
        );
        break;
      case 'abandon': {
        const { tokens } = command;
        open = open.filter(
          (other) =>
            !(other.type === 'execute'
              ? other.executions.some((execution) => tokens.includes(execution.token))
              : 'token' in other && tokens.includes(other.token)),
        );
        break;
      }
      case 'abandonSlice': {
        const { slice } = command;
        open = open.filter((other) => !(other.type === 'slice' && other.slice === slice));
        break;
      }
      default:
        open.push(command);
    }
  }
  return open.filter((command) => isCurrent(interpreter, command));
}

/** Answers what can be answered, until commands come of it or nothing more can. */
async function answerAwaiting(interpreter: Interpreter, recall: Recall): Promise<Command[]> {
  for (;;) {
    const commands: Command[] = [];
    let answered = 0;
    for (const facts of interpreter.awaiting()) {
      const result = await recall.outcome(facts);
      if (!result) continue;
      answered += 1;
      commands.push(...interpreter.apply({ type: 'finished', key: facts.key, token: facts.token, result }));
    }
    if (commands.length > 0 || answered === 0) return commands;
  }
}

/** Whether the state still waits for what this command brings. */
export function isCurrent(interpreter: Interpreter, command: Command): boolean {
  switch (command.type) {
    case 'execute':
      return command.executions.every((execution) => interpreter.state.nodes[execution.key]?.token === execution.token);
    case 'record':
    case 'split':
    case 'collect':
    case 'until':
    case 'wait':
      return interpreter.state.nodes[command.key]?.token === command.token;
    case 'slice':
      return command.slice in (interpreter.state.nodes[command.key]?.map?.open ?? {});
    case 'settled':
      return interpreter.state.instances[command.instance]?.settled === command.status;
    default:
      return false;
  }
}

export function factsOf(scope: string, execution: Execution): ExecutionFacts {
  const { key, node, params, feedback, token, round, attempt } = execution;
  return { key, scope, node, params, inputs: slotsOf(execution.inputs), feedback, token, round, attempt };
}

function slotsOf(inputs: Execution['inputs']): Record<string, Slot[]> {
  return Object.fromEntries(
    Object.entries(inputs).map(([port, values]) => [
      port,
      values.map((value) => {
        if ('token' in value) throw new Error('a restored execution takes no inputs from its batch');
        return value;
      }),
    ]),
  );
}
