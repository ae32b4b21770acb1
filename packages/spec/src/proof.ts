import { z } from 'zod';

/** `unproven`: nothing was found wrong, but something that a proof needs is not there. */
export const ProofVerdict = z.enum(['proven', 'failed', 'unproven']);
export type ProofVerdict = z.infer<typeof ProofVerdict>;

/** The steps of a proof, in their order. */
export const proofSteps = [
  'parts',
  'setup',
  'untouched',
  'visible',
  'cheats',
  'setup-again',
  'solution',
  'equal-solutions',
  'sensitivity',
  'mutants',
  'another-day',
] as const;
export const ProofStepName = z.enum(proofSteps);
export type ProofStepName = z.infer<typeof ProofStepName>;

/** What each step shows when it holds. */
export const proofClaims: Record<ProofStepName, string> = {
  parts: 'Instruction, files, rubric, checks and solution belong together.',
  setup: 'The setup runs in a clean sandbox.',
  untouched: 'The must criteria fail on the untouched environment.',
  visible: 'The prepared desktop shows no answer.',
  cheats: 'No cheap cheat passes.',
  'setup-again': 'The setup run again leaves the same state.',
  solution: 'The must criteria pass after a reference solution.',
  'equal-solutions': 'Equal solutions pass as well.',
  sensitivity: 'What the solution writes is looked at.',
  mutants: 'A fault against one must criterion fails that one alone.',
  'another-day': 'Setup script and solution give the same on another day.',
};

/** One line: what was looked at and what was found. It never states an expected value. */
export const ProofLine = z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() });
export type ProofLine = z.infer<typeof ProofLine>;

export const ProofStep = z.strictObject({
  step: ProofStepName,
  /** `skipped` when an earlier one has failed, or there is nothing to look at; the line says which. */
  result: z.enum(['held', 'failed', 'skipped']),
  seconds: z.number().min(0),
  evidence: z.array(ProofLine).min(1),
});
export type ProofStep = z.infer<typeof ProofStep>;

/** What is said of a proof in `task.json`. */
export const ProofSummary = z.strictObject({
  verdict: ProofVerdict,
  /** Why it failed, or what was missing. */
  reason: z.string().nullable(),
  /** What ran it: `docker` or `bubblewrap`; null when nothing did. */
  provider: z.string().nullable(),
  image: z.string().nullable(),
  seconds: z.number().min(0),
});
export type ProofSummary = z.infer<typeof ProofSummary>;

/** `proof/proof.json` of a task package. */
export const ProofRecord = ProofSummary.extend({
  schema: z.literal(1),
  /** SHA-256 over everything of the package that the proof rests on: whether it still is about this package. */
  subject: z.string().regex(/^[0-9a-f]{64}$/),
  steps: z.array(ProofStep),
  /** Path in the package of a picture of the prepared desktop. */
  screenshot: z.string().nullable(),
});
export type ProofRecord = z.infer<typeof ProofRecord>;
