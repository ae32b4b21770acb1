import { hash } from 'node:crypto';

/** SHA-256 of bytes, or of a string's UTF-8, in lower-case hexadecimal. */
export const sha256 = (data: Uint8Array | string): string => hash('sha256', data, 'hex');
