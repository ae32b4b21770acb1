import type { Random } from '../random.ts';
import type { Draft } from './draft.ts';
import type { FinalDraft, RequirementProof } from './proof.ts';

/** What a change asks for. */
export interface Planted {
  /** Form of the change, for diversity counts. */
  label: string;
  /** What the document has in the end, as a phrase that may follow “has”. */
  aim: string;
  requirements: { id: string; text: string; must: boolean }[];
  mentions?: string[];
  answers?: { label: string; value: string }[];
  note: string;
  /** How each requirement is checked, once all changes are planned. */
  proofs?: (final: FinalDraft) => RequirementProof[];
}

export interface Change {
  id: string;
  /** 1 adds content to both sides, 2 changes words, 3 changes looks, 4 changes the order of things. */
  phase: 1 | 2 | 3 | 4;
  /** Changes that it cannot be combined with. */
  conflicts: readonly string[];
  /** Puts the change into the draft; undefined, and nothing touched, where the document does not allow it. */
  plant(draft: Draft, random: Random): Planted | undefined;
}
