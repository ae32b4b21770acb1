import type { CarriedState as Carried } from '@cua-forge/spec/engine';
import type { Command, RunState } from '@cua-forge/workflows/interpreter/state';
import { z } from 'zod';

/** Written by `saveCarried` of the same build: the outline is checked, the interpreter's own parts are taken as they are. */
export const CarriedState: z.ZodType<Carried<RunState, Command>> = z.object({
  state: z.custom<RunState>(
    (value) => typeof value === 'object' && value !== null && 'format' in value && value.format === 1,
    'state of this interpreter',
  ),
  commands: z.array(z.custom<Command>((value) => typeof value === 'object' && value !== null && 'type' in value)),
  deadlines: z.record(z.string(), z.number()),
});
