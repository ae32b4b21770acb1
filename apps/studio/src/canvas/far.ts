import type { ReactFlowState } from '@xyflow/react';

/** Below this zoom nothing on a card but its title could be read, so nothing else is drawn. */
const FAR = 0.28;

export const isFar = (state: ReactFlowState): boolean => state.transform[2] < FAR;
