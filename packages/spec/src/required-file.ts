import { ForgeError } from './errors.ts';
import type { RequiredFile, TaskSpecification } from './task.ts';
import { blockText } from './text-document.ts';

/** Media type of each type of required file. */
export const mediaTypeOf: Record<RequiredFile['type'], string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  text: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  md: 'text/markdown',
  json: 'application/json',
};

/** Last part of a path in the sandbox. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * A required file of a specification.
 * @throws ForgeError `input.invalid` when the specification has no such file, or one of another type
 */
export function requiredFile<T extends RequiredFile['type']>(
  spec: TaskSpecification,
  id: string,
  type: T,
): Extract<RequiredFile, { type: T }> {
  const file = spec.files.find((candidate) => candidate.id === id);
  if (file === undefined) {
    const known = spec.files.map((candidate) => candidate.id).join(', ');
    throw new ForgeError('input.invalid', `The specification has no required file "${id}"; it has: ${known}.`, {
      fix: 'Set the param file to one of these ids.',
    });
  }
  if (!hasType(file, type)) {
    throw new ForgeError('input.invalid', `The required file "${id}" is of type ${file.type}, not ${type}.`, {
      fix: `Use the preparer for ${file.type}.`,
    });
  }
  return file;
}

function hasType<T extends RequiredFile['type']>(
  file: RequiredFile,
  type: T,
): file is Extract<RequiredFile, { type: T }> {
  return file.type === type;
}

const isName = (text: string) => text.trim() !== '' && text.length <= 120;

/** What of a file's content people call by name: sheets, columns, headings, titles. */
export function namesInFile(file: RequiredFile): string[] {
  switch (file.type) {
    case 'xlsx':
      return file.content.sheets.flatMap((sheet) => [sheet.name, ...sheet.columns.map((column) => column.name)]);
    case 'csv':
      return file.content.columns.map((column) => column.name);
    case 'docx':
      return file.content.blocks
        .flatMap((block) =>
          block.type === 'paragraph' && /^(Title|Heading \d)$/.test(block.style) ? [blockText(block)] : [],
        )
        .filter(isName);
    case 'pdf':
      return [
        file.content.title,
        ...file.content.blocks.flatMap((block) =>
          block.type === 'table' ? block.columns.map((column) => column.name) : [],
        ),
      ].filter(isName);
    case 'md':
      return file.content.flatMap((block) => (block.type === 'heading' ? [block.text] : [])).filter(isName);
    case 'json':
    case 'text':
      return [];
  }
}
