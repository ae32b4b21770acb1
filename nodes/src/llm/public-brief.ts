import { baseName, namesInFile } from '@cua-forge/spec/required-file';
import type { TaskSpecification } from '@cua-forge/spec/task';

/** What of a specification a model may know to write for the user: names and headings, never rows, paths or preconditions. */
export function publicBrief(spec: TaskSpecification): string {
  const { scenario, outcome, constraints } = spec;
  const requirements = outcome.requirements.map(({ id, text, must }) => `- [${id}] ${must ? 'must' : 'wish'}: ${text}`);
  return [
    `Person: ${scenario.person}, ${scenario.role} at ${scenario.company}`,
    `Why: ${scenario.motive}`,
    `Applications: ${spec.applications.join(', ')}`,
    `Files:\n${spec.files.map(describeFile).join('\n')}`,
    `Wanted end state: ${outcome.summary}`,
    `Requirements:\n${requirements.join('\n')}`,
    ...(constraints.length === 0 ? [] : [`Conditions:\n${constraints.map((one) => `- ${one}`).join('\n')}`]),
    `Names that must be mentioned literally: ${outcome.mentions.map((name) => JSON.stringify(name)).join(', ') || 'none'}`,
  ].join('\n');
}

const otherTypes = { text: 'a text', md: 'a Markdown document', json: 'data as JSON' } as const;

function describeFile(file: TaskSpecification['files'][number]): string {
  const name = baseName(file.path);
  if (file.type === 'docx' || file.type === 'pdf') {
    const what = file.type === 'docx' ? 'a text document with the headings' : 'a PDF with';
    return `- ${name}: ${what} ${namesInFile(file).slice(0, 20).join(', ') || 'no headings'}`;
  }
  if (file.type !== 'xlsx' && file.type !== 'csv') return `- ${name}: ${otherTypes[file.type]}`;
  const sheets = file.type === 'csv' ? [{ name: 'table', columns: file.content.columns }] : file.content.sheets;
  return `- ${name}: ${sheets.map((sheet) => `${sheet.name} (${sheet.columns.map((column) => column.name).join(', ')})`).join('; ')}`;
}
