import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { type Block, papers } from '@cua-forge/spec/text-document';

/** Makes skills/writer-policy-restyle/sample.docx: the travel policy of a company that does not exist. Equal bytes each time. */

const sections: Record<string, string[]> = {
  Purpose: [
    'This policy explains how employees of the company plan, book and claim business travel. It keeps costs in view and makes sure that nobody pays for the company out of their own pocket for long.',
  ],
  Scope: [
    'The policy applies to all employees, including those on fixed-term contracts. Contractors follow the terms of their own agreement.',
    'Travel between home and the usual place of work is not business travel.',
  ],
  'Planning and approval': [
    'Every trip needs the approval of a manager before anything is booked. The manager checks whether a call would do as well, and whether the trip can be combined with another one.',
    'Approval is given in writing. It names the purpose of the trip, the places and the expected expenses.',
  ],
  Booking: [
    'Employees book trains, flights and hotels through the travel desk. The travel desk keeps the rates that the company has agreed with each supplier.',
    'Trains come first where the journey takes less than half a day. Flights are booked in the lowest class that allows a change.',
  ],
  'Meals and daily expenses': [
    'The company pays for meals on the road up to the daily rate. Receipts are kept for all expenses, however small.',
    'Alcohol, minibars and films are not paid back. Tips are paid back where they are usual.',
  ],
  'Use of private cars': [
    'A private car may be used when no train goes there, or when several employees travel together. The driver needs a valid licence and insurance.',
    'Fines are never paid by the company.',
  ],
  'Safety and equipment': [
    'Employees carry the laptop and other equipment as hand luggage. Screens are locked in public places, and the laptop is never left in a car.',
    'Before a trip abroad, the security team says which equipment may be taken along.',
  ],
  Claims: [
    'Claims are handed in with the form on the intranet. The manager signs the claim, and the finance team pays it out with the next salary.',
    'Claims without receipts need the approval of the head of finance.',
  ],
  'Questions and changes': [
    'Questions about this policy go to the travel desk. The company may change the policy; employees are told about changes in team meetings.',
  ],
};

const blocks: Block[] = [
  { type: 'paragraph', style: 'Title', runs: [{ text: 'Business Travel Policy' }] },
  { type: 'paragraph', style: 'Normal', runs: [{ text: 'Version 4.1 | In force from 1 March 2024' }] },
  ...Object.entries(sections).flatMap(([heading, paragraphs], index): Block[] => [
    { type: 'paragraph', style: 'Heading 1', runs: [{ text: `${index + 1}. ${heading}` }] },
    ...paragraphs.map((text): Block => ({ type: 'paragraph', style: 'Normal', runs: [{ text }] })),
  ]),
];

const bytes = await writeDocx({
  page: { ...papers.A4, top: 72, right: 72, bottom: 72, left: 72 },
  styles: {},
  header: [{ type: 'paragraph', style: 'Normal', align: 'right', runs: [{ text: 'Tarn & Holloway Instruments' }] }],
  footer: [],
  blocks,
});
const target = resolve(import.meta.dirname, '../skills/writer-policy-restyle/sample.docx');
await writeFile(`${target}.new`, bytes);
await rename(`${target}.new`, target);
