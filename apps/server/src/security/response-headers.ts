import type { RequestHandler } from 'express';

const studioPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer: no guessing of types, no use by other sites, no address in referrers. */
export const commonHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  next();
};

/** Headers of API answers: they are nobody's page, and they change. */
export const apiHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** Headers of the studio's pages: only the server's own files run. */
export const studioHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', studioPolicy);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('X-Frame-Options', 'DENY');
  next();
};
