import { personalData } from '@cua-forge/gates/text/personal-data.gate';
import { basePackages } from '../bases.ts';
import { at, bad, type GateCorpus, type GateExample, good } from '../example.ts';
import { addColumn, withTable } from '../tables.ts';

const check = {
  secrets: 'no secrets',
  mail: 'e-mail addresses are reserved ones',
  phone: 'phone numbers are reserved ones',
  card: 'payment cards are test numbers',
  bank: 'bank accounts are examples',
  identity: 'identity numbers are reserved ones',
  network: 'network addresses are reserved ones',
};

const harmless = [
  'Write to dana.reyes@example.com or to office@north.example.org by Friday.',
  'The mailbox invoices@alder-finch.example takes attachments.',
  'Call (212) 555-0143 or +1 202-555-0170 before noon.',
  'The office in London answers under 020 7946 0018, the mobile is 07700 900123.',
  'Paid by card 4111 1111 1111 1111, which the terminal refused.',
  'Test payments use 4242424242424242 and 5555 5555 5555 4444.',
  'Account GB82 WEST 1234 5698 7654 32 is the one of the manual, as is DE89 3704 0044 0532 0130 00.',
  'The server has the address 192.0.2.17; the printer is at 192.168.1.20 and the gateway at 10.0.0.1.',
  'Release 10.4.12.3 of the firmware came on 2025-03-14, version 4.18.0.2 before it.',
  'Article 978-3-16-148410-0, order 2024-0017-3344, drawing 12-345-678.',
  'Net 1 234 567.89, gross 1.469.135,79, growth 12.75 %, from 2024-01-05 to 2025-12-31.',
  'The password policy asks for twelve characters; a token costs 2 euros in the laundry.',
  'Tracking code 1Z999AA10123456784, batch 20250314-0001, EAN 4006381333931.',
  'IDs: E310, LO-04104, SK-2040, 000123456789.',
  'The secret of a good summary is a key figure; keep the API section short.',
  '03/04/2025 08:15–17:30, rooms 101-102-103, pages 555-560',
  'Serial 4539-1488-0343-6460 failed its checksum at the counter.',
];

/** Texts with one find each. The secrets are made up and put together here, so that no scanner takes this file for a leak. */
const finds: [kind: string, check: string, text: string][] = [
  ['an access key', check.secrets, `Use ${'AKIA'}${'4XQ7ZP2MN6RT3WVB'} for the bucket.`],
  [
    'a private key',
    check.secrets,
    `-----BEGIN ${'RSA PRIVATE'} KEY-----\nMIIEowIBAAKCAQEA7\n-----END ${'RSA PRIVATE'} KEY-----`,
  ],
  ['a token', check.secrets, `The token is ${'ghp_'}${'a8Kd93mfLq0ZxT7vYw2Rb5NcJh1Pe6Us4GiO'}.`],
  ['a token', check.secrets, `${'xoxb-'}${'204857193856-184756201948-QmZkT7uWxP3rVnYcLdHs9aBe'}`],
  ['a token', check.secrets, `Set the key to ${'sk-'}${'proj-9fK2mQx7Lw4ZtR8vNc3YbH6dJp1Ge5Us0AiOkTnE'}.`],
  ['a password', check.secrets, 'The password: Wint3r!Halden is on the note.'],
  ['a password', check.secrets, 'Log in with user amina and pwd = Xk29$pqR7 please.'],
  ['a password in an address', check.secrets, 'postgres://reports:h4rb0ur-9x@db.internal:5432/books'],
  [
    'a signed token',
    check.secrets,
    `${'eyJ'}${'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`,
  ],
  ['an e-mail address', check.mail, 'Send it to amina.diallo@gmail.com tonight.'],
  ['an e-mail address', check.mail, 'Contact: J.Weber@harbour-therapy.de'],
  ['an e-mail address', check.mail, 'cc sales+q3@northwind.co.uk'],
  ['an e-mail address', check.mail, 'mailto:info@example.company'],
  ['an e-mail address', check.mail, 'priya (priya@myexample.com) knows more'],
  ['a phone number', check.phone, 'Call +49 30 901820 before noon.'],
  ['a phone number', check.phone, 'Her number is (415) 826-3041.'],
  ['a phone number', check.phone, '212-736-5000 is the desk'],
  ['a phone number', check.phone, 'Mobile: +44 7911 123456'],
  ['a phone number', check.phone, 'Fax +33 1 42 68 53 00'],
  ['a payment card', check.card, 'Card 4539 1488 0343 6467, valid until 11/27'],
  ['a payment card', check.card, 'paid with 5425233430109903'],
  ['a payment card', check.card, 'Amex 3742-454554-00126'],
  ['a bank account', check.bank, 'IBAN DE32 6005 0101 7846 2931 05'],
  ['a bank account', check.bank, 'to FR1930004008270001547263902 please'],
  ['a bank account', check.bank, 'NL82RABO0318472956'],
  ['an identity number', check.identity, 'SSN 536-90-4399 is on file'],
  ['an identity number', check.identity, 'Social Security Number: 212 09 7694'],
  ['an identity number', check.identity, 'National insurance AB 12 34 56 C'],
  ['a network address', check.network, 'The share lies on 81.169.145.68, port 445'],
  ['a network address', check.network, 'ssh backup@52.95.110.1'],
];

export const personalDataCorpus: GateCorpus = {
  gate: personalData,
  async examples() {
    const bases = await basePackages();
    const tabular = bases.filter(({ spec }) => spec.files.some(({ type }) => type !== 'text'));
    const inTable = (i: number, text: string) =>
      withTable(at(tabular, i).spec, (grid) =>
        addColumn(grid, { name: 'Remark', type: 'text' }, (row) => (row === 2 ? text : 'none')),
      );
    const shown = (i: number, text: string) =>
      i % 2 === 0 ? text : i % 4 === 1 ? inTable(i, text) : { notes: [{ by: 'Ines', text }] };
    return [
      ...bases.map(({ name, spec }) => good(name, { inputs: { value: spec } })),
      ...harmless.map((text, i) => good(text, { inputs: { value: shown(i, text) } })),
      good('a domain that is allowed', {
        params: { allowedDomains: ['alderfinch.com'] },
        inputs: { value: 'dana@mail.alderfinch.com' },
      }),
      ...finds.map(([kind, of, text], i): GateExample => bad(kind, of, text, { inputs: { value: shown(i, text) } })),
      bad('a card as a number', check.card, 'a number in a cell', { inputs: { value: [['Card', 4539148803436467]] } }),
      bad('a name of a member', check.mail, 'in a key', {
        inputs: { value: { 'tom.akande@vellmar-logistics.com': 4 } },
      }),
    ];
  },
};
