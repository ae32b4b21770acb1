import { findPhoneNumbersInText } from 'libphonenumber-js/max';
import isCreditCard from 'validator/es/lib/isCreditCard.js';
import isIBAN from 'validator/es/lib/isIBAN.js';

/** What was found, shortened so that evidence does not spread it. */
const veiled = (text: string) => (text.length <= 6 ? '…' : `${text.slice(0, 3)}…${text.slice(-2)}`);

const secretForms: readonly [RegExp, string][] = [
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/u, 'an access key'],
  [/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/u, 'a private key'],
  [/\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_\w{40,}\b|\bglpat-[\w-]{18,}/u, 'an access token'],
  [/\bxox[abprs]-[\w-]{20,}/u, 'an access token'],
  [/\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}/u, 'an API key'],
  [/\bAIza[\w-]{35}\b/u, 'an API key'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/u, 'a signed token'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:[^\s:/@]{3,}@/iu, 'a password in an address'],
  [
    /\b(?:password|passwd|pwd|passphrase|passcode)\b\s*(?:[:=]|\bis\b)\s*(?=\S*[\d!-/:-@[-`{-~])(?=\S*\p{L})\S{6,}/iu,
    'a password',
  ],
  [
    /\b(?:secret|token|api[ _-]?key|access[ _-]?key)\b\s*(?:[:=]|\bis\b)\s*(?=\S*\d)(?=\S*\p{L})[\w+/=.-]{16,}/iu,
    'a secret',
  ],
];

export function secrets(text: string): string[] {
  return secretForms.flatMap(([form, what]) => (form.test(text) ? [what] : []));
}

const reservedDomain = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/iu;

export function mailAddresses(text: string, allowed: readonly string[]): string[] {
  return [...text.matchAll(/[\w.+-]+@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/giu)].flatMap(([address, domain = '']) => {
    const own = allowed.some(
      (one) => domain.toLowerCase() === one.toLowerCase() || domain.toLowerCase().endsWith(`.${one.toLowerCase()}`),
    );
    return own || reservedDomain.test(domain) ? [] : [veiled(address)];
  });
}

/** Numbers that regulators keep free for films and books, in E.164. */
const fictitious: readonly RegExp[] = [
  /^\+1\d{3}55501\d{2}$/,
  /^\+44(?:1632960|7700900|2079460|8081570|9098790|3069990|1134960|1144960|1154960|1164960|1174960|1184960|1214960|1314960|1414960|1514960|1614960|1914980|2890180|2920180)\d{3}$/,
  /^\+33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  /^\+61(?:491570(?:006|156|157|158|159|110|313|737)|[2378](?:5550|7010)\d{4})$/,
  /^\+49(?:3023125|6990009|4066969|2214710|8999998)\d{3,}$/,
];

export function phoneNumbers(text: string): string[] {
  if ((text.match(/\d/g) ?? []).length < 7) return [];
  return findPhoneNumbersInText(text, 'US').flatMap(({ number, startsAt, endsAt }) => {
    const written = text.slice(startsAt, endsAt);
    // Digits alone are more often the number of an order or an article.
    const looksLikeOne = /^\s*\+|^\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$/u.test(written);
    return !looksLikeOne || fictitious.some((form) => form.test(number.number)) ? [] : [veiled(written)];
  });
}

/** Numbers that payment providers publish for tests. */
const testCards = new Set([
  '4111111111111111',
  '4242424242424242',
  '4012888888881881',
  '4000056655665556',
  '5555555555554444',
  '5105105105105100',
  '2223003122003222',
  '378282246310005',
  '371449635398431',
  '6011111111111117',
  '6011000990139424',
  '30569309025904',
  '38520000023237',
  '3530111333300000',
  '3566002020360505',
]);

export function paymentCards(text: string): string[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.-])\d(?:[ -]?\d){13,18}(?![\p{L}\p{N}-])/gu)].flatMap(([written]) => {
    const digits = written.replace(/[ -]/g, '');
    return isCreditCard(digits) && !testCards.has(digits) ? [veiled(digits)] : [];
  });
}

/** Examples of the IBAN registry. */
const exampleAccounts = new Set([
  'GB82WEST12345698765432',
  'GB29NWBK60161331926819',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'ES9121000418450200051332',
  'IT60X0542811101000000123456',
  'BE68539007547034',
  'CH9300762011623852957',
  'AT611904300234573201',
  'PL61109010140000071219812874',
  'SE4550000000058398257466',
]);
const accountForm = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/gu;

export function bankAccounts(text: string): string[] {
  return [...text.matchAll(accountForm)].flatMap(([written]) => {
    const account = written.replaceAll(' ', '');
    return isIBAN(account) && !exampleAccounts.has(account) ? [veiled(account)] : [];
  });
}

/** Numbers of persons that were printed by mistake and belong to no one. */
const voidNumbers = new Set(['078051120', '219099999', '123456789']);

export function identityNumbers(text: string): string[] {
  const context = /\b(?:ssn|social security|national insurance|nino|ni number)\b/iu.test(text);
  const social = [...text.matchAll(/(?<![\p{N}-])(\d{3})([- ])(\d{2})\2(\d{4})(?![\p{N}-])/gu)].flatMap(
    ([written, area = '', mark, group, serial]) => {
      const digits = written.replace(/\D/g, '');
      const possible =
        !/^(?:000|666|9\d\d)$/.test(area) && group !== '00' && serial !== '0000' && !voidNumbers.has(digits);
      return possible && (mark === '-' || context) ? [veiled(written)] : [];
    },
  );
  const insurance = /\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/u.exec(
    text,
  )?.[0];
  return [...social, ...(insurance !== undefined && context ? [veiled(insurance)] : [])];
}

const privateOrReserved =
  /^(?:0|10|127|22[4-9]|2[345]\d)\.|^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\./u;

export function networkAddresses(text: string): string[] {
  return [...text.matchAll(/(?<![\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{N}]|\.\d)/gu)].flatMap((match) => {
    const version = /(?:\bv|version|release|firmware|build|update|section|chapter)\W{0,3}$/iu.test(
      text.slice(0, match.index),
    );
    const real = match[0].split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);
    return version || !real || privateOrReserved.test(match[0]) ? [] : [veiled(match[0])];
  });
}

/** The text without bank accounts and payment cards, whose digits would be taken for phone numbers. */
export const withoutAccounts = (text: string): string =>
  text.replace(accountForm, ' ').replace(/\d(?:[ -]?\d){13,18}/gu, ' ');
