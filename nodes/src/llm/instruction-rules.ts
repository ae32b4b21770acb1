import type { ModelRequest } from '@cua-forge/spec/model-port';
import type { TaskSpecification } from '@cua-forge/spec/task';

const fewestWords = 15;
const mostWords = 260;

/** What can be seen to be wrong with a message without knowing any answer, in words for its author. Empty when nothing is. */
export function instructionProblems(text: string, { outcome, scenario }: TaskSpecification): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const missing = outcome.mentions.filter((name) => !text.includes(name));
  const aboutThem = text.includes(scenario.person.split(' ')[0] ?? scenario.person);
  return [
    ...missing.map((name) => `it does not mention ${JSON.stringify(name)} literally`),
    ...(aboutThem && !/\b(?:I|me|my|we|our|us)\b/.test(text)
      ? ['it speaks about the person: write it as they would, in the first person, with I, my or we']
      : []),
    ...(/\/(?:home|tmp|usr|root|mnt)\//.test(text) ? ['it names an absolute path: name the file alone'] : []),
    ...(/\[(?:your|my|the|name|insert)\b[^\]]*\]/i.test(text)
      ? ['it has a placeholder in brackets: write the name itself']
      : []),
    ...(/\b(?:sandbox|script|absolute path|end state)/i.test(text)
      ? ['it repeats these directions: say only what the person wants']
      : []),
    ...(words < fewestWords ? [`it has ${words} words; write at least 40`] : []),
    ...(words > mostWords ? [`it has ${words} words; write at most 160`] : []),
  ];
}

/** The same request with what was wrong with the first answer. */
export function correction(request: ModelRequest, answer: string, problems: readonly string[]): ModelRequest {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return {
    ...request,
    seed: (request.seed + 1) | 0,
    messages: [
      ...request.messages,
      { role: 'assistant', content: answer },
      {
        role: 'user',
        content: `That message cannot be used:\n${list}\nWrite it again. Answer with the message alone.`,
      },
    ],
  };
}
