import { eld } from 'eld/small';

/** Languages that can be asked for, as ISO 639-1 codes. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'cs', 'zh', 'ja', 'ko'] as const;
export type Language = (typeof languages)[number];

/** Fewest characters that a part of a text is judged by itself for. */
const LEAST = 60;
/** How much likelier another language has to be. */
const MARGIN = 0.08;

/** Parts that are long enough to tell their language: paragraphs, and sentences put together. */
function partsOf(text: string): string[] {
  return text.split(/\n+/).flatMap((paragraph) => {
    const parts: string[] = [];
    let part = '';
    for (const sentence of paragraph.split(/(?<=[.!?。！？])\s*/u)) {
      part = `${part} ${sentence}`.trim();
      if (part.length < LEAST) continue;
      parts.push(part);
      part = '';
    }
    return parts;
  });
}

/** File names, addresses and names in capitals say nothing about the language around them. */
const withoutNames = (text: string) =>
  text.replace(/[\p{L}\p{N}_-]+\.[\p{L}\p{N}]{2,5}\b/gu, ' ').replace(/(?<=[\p{Ll},] )\p{Lu}[\p{L}\p{N}&'’-]*/gu, ' ');

function judge(text: string, wanted: Language): string | undefined {
  const result = eld.detect(withoutNames(text));
  const scores = result.getScores();
  if (result.language === '' || result.language === wanted) return undefined;
  const ahead = (scores[result.language] ?? 0) - (scores[wanted] ?? 0);
  return result.isReliable() && ahead > MARGIN ? result.language : undefined;
}

/** What is in another language than wanted, with that language's code. */
export function otherLanguage(text: string, wanted: Language): { language: string; part: string }[] {
  const whole = judge(text, wanted);
  if (whole !== undefined) return [{ language: whole, part: text }];
  return partsOf(text).flatMap((part) => {
    const language = judge(part, wanted);
    return language === undefined ? [] : [{ language, part }];
  });
}
