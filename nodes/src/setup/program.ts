import { z } from 'zod';

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'eval']);
const isShell = (word: string) => shells.has(word.slice(word.lastIndexOf('/') + 1));

/** A program and its arguments, without a shell in between. */
export const program = z
  .array(
    z
      .string()
      .min(1)
      .refine((word) => !word.includes('\0'), 'a word without NUL'),
  )
  .min(1)
  .refine((words) => !words.some(isShell), 'a program and its arguments, not a shell');
