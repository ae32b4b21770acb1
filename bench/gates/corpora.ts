import { ambiguityCorpus } from './corpus/ambiguity.ts';
import { consistencyCorpus } from './corpus/consistency.ts';
import { difficultyCorpus } from './corpus/difficulty.ts';
import { duplicateCorpus } from './corpus/duplicate.ts';
import { languageCorpus } from './corpus/language.ts';
import { matchesSpecCorpus } from './corpus/matches-spec.ts';
import { opensCorpus } from './corpus/opens.ts';
import { packageCorpus } from './corpus/package.ts';
import { personalDataCorpus } from './corpus/personal-data.ts';
import { realismCorpus } from './corpus/realism.ts';
import { rubricCorpus } from './corpus/rubric.ts';
import { schemaCorpus } from './corpus/schema.ts';
import { scriptCorpus } from './corpus/script.ts';
import { tableCorpus } from './corpus/table.ts';
import type { GateCorpus } from './example.ts';

/** Examples for every gate, good ones and such with a planted fault. */
export const corpora: readonly GateCorpus[] = [
  ambiguityCorpus,
  consistencyCorpus,
  difficultyCorpus,
  duplicateCorpus,
  languageCorpus,
  matchesSpecCorpus,
  opensCorpus,
  packageCorpus,
  personalDataCorpus,
  realismCorpus,
  rubricCorpus,
  schemaCorpus,
  scriptCorpus,
  tableCorpus,
];
