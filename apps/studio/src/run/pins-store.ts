import type { JsonObject } from '@cua-forge/spec/json';
import { create } from 'zustand';
import { documentsApi } from '../api/documents-api.ts';

interface PinsState {
  documentId: string | null;
  pins: Readonly<Record<string, unknown>>;
  open(documentId: string | null): Promise<void>;
  /** Pins these outputs to the node, or takes the pin away. @throws ForgeError */
  set(key: string, outputs: JsonObject | null): Promise<void>;
}

/** Outputs that stand in for a node in draft runs of the open document. */
export const usePins = create<PinsState>((set, get) => ({
  documentId: null,
  pins: {},
  async open(documentId) {
    set({ documentId, pins: {} });
    if (documentId === null) return;
    try {
      const pins = await documentsApi.pins(documentId);
      if (get().documentId === documentId) set({ pins });
    } catch {
      // A document that is not stored yet has no pins; the banner tells when the server is away.
    }
  },
  async set(key, outputs) {
    const { documentId } = get();
    if (documentId === null) return;
    await documentsApi.setPin(documentId, key, { outputs });
    const { [key]: _, ...rest } = get().pins;
    set({ pins: outputs === null ? rest : { ...rest, [key]: outputs } });
  },
}));
