import type { Response } from 'express';

/** Types that a browser would run or render as a page when opened by address. */
const active = /html|\/xml|\+xml|\/xsl|svg|javascript|ecmascript|wasm/i;
const MediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

/** Sends bytes as a download under any name; nothing of it is ever executed or shown as a page of this server. */
export function sendDownload(response: Response, bytes: Uint8Array, name: string, mediaType: string): void {
  response.attachment(name);
  response.setHeader(
    'Content-Type',
    MediaType.test(mediaType) && !active.test(mediaType) ? mediaType : 'application/octet-stream',
  );
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  response.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
