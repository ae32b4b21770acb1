import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { language } from './language.gate.ts';

const text = 'Please add a sheet with the total of each month to orders.xlsx and keep the data.';

describe('gate.language', () => {
  it('passes a clean message and hands it on', async () => {
    expect(await judge(language)).toMatchObject({ verdict: 'pass', failed: [], passed: ['instruction'] });
  });

  it.each([
    [
      'another language',
      'Bitte lege in der Mappe ein neues Blatt an, auf dem die Summe für jeden Monat steht.',
      /language is right: .* is in de/,
    ],
    [
      'half in another language',
      `${text}\n\nLes données existantes ne doivent pas changer, merci de garder le nom du fichier.`,
      /is in fr/,
    ],
    ['few words', 'Fix it.', /it has 2 words; 8 to 400/],
    ['an introduction', `Sure, here is the message:\n${text}`, /an introduction/],
    ['a loop', `${text} And then again and again and again and again and again.`, /goes round/],
    ['a broken end', `${text} Also, the`, /last word is “the”/],
    ['a wrong encoding', `${text} Thanks, ZoÃ«`, /wrong encoding/],
  ])('asks to repair a text with %s', async (_, instruction, message) => {
    const { verdict, failed, feedback, passed } = await judge(language, { params: {}, inputs: { instruction } });
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
    expect(feedback).toMatch(/\w/);
  });

  it('judges by the language and the length that are asked for', async () => {
    const german = 'Bitte lege in der Mappe ein neues Blatt an, auf dem die Summe für jeden Monat steht.';
    expect(await judge(language, { params: { language: 'de' }, inputs: { instruction: german } })).toMatchObject({
      verdict: 'pass',
    });
    expect((await judge(language, { params: { maxWords: 9 }, inputs: { instruction: text } })).failed).toEqual([
      'the length is right: it has 16 words; 8 to 9 are wanted',
    ]);
    expect(() => language.params.parse({ minWords: 9, maxWords: 8 })).toThrow(/minWords is above maxWords/);
  });
});
