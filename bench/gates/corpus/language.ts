import { language } from '@cua-forge/gates/text/language.gate';
import { basePackages } from '../bases.ts';
import { at, bad, type GateCorpus, type GateExample, good } from '../example.ts';

const check = {
  language: 'the language is right',
  length: 'the length is right',
  alone: 'it is the message alone',
  repeated: 'nothing is repeated',
  ends: 'it does not break off',
  characters: 'every character is sound',
};

const foreign: [string, string][] = [
  [
    'de',
    'Ich brauche Hilfe mit der Mappe orders.xlsx. Bitte lege ein neues Blatt Overview an, auf dem für jeden Monat die Summe der Beträge steht, und lass die vorhandenen Daten unverändert.',
  ],
  [
    'fr',
    'Pourriez-vous ajouter à orders.xlsx une feuille nommée Overview qui donne pour chaque mois la somme des montants ? Les données existantes ne doivent pas changer.',
  ],
  [
    'es',
    'Necesito que el archivo orders.xlsx tenga una hoja nueva llamada Overview con el total de cada mes. Por favor, no cambies los datos que ya están en el libro.',
  ],
  [
    'it',
    'Mi serve una mano con orders.xlsx: aggiungi un foglio Overview che mostri per ogni mese la somma degli importi e lascia i dati così come sono adesso.',
  ],
  [
    'nl',
    'Kun je in orders.xlsx een nieuw blad Overview maken met voor elke maand de som van de bedragen? De gegevens die er al staan moeten blijven zoals ze zijn.',
  ],
  [
    'pt',
    'Preciso que o ficheiro orders.xlsx tenha uma nova folha chamada Overview com a soma dos valores de cada mês. Não altere os dados que já estão no livro.',
  ],
  [
    'pl',
    'Proszę dodać do pliku orders.xlsx nowy arkusz Overview, w którym dla każdego miesiąca podana jest suma kwot. Dane, które już tam są, mają pozostać bez zmian.',
  ],
  [
    'zh',
    '请在 orders.xlsx 中添加一个名为 Overview 的新工作表，列出每个月的金额总和，并保持原有数据不变。保存文件时请使用原来的名称，谢谢您的帮助。',
  ],
];
const english = [
  'Please add a sheet named Overview to orders.xlsx with one line for each month and the sum of Amount.',
  'Could you sort the list in team.csv by last name, leave the header where it is, and save the file afterwards?',
  "I'm stuck with budget.xlsx. Its totals are missing, so please put a SUM below every column of numbers and make that row bold.",
  'In report.docx every heading should have the style Heading 2. Leave everything else alone, please, and save it in place.',
  'Hi! Thomas Müller from Müller & Söhne GmbH asked for the Umsatz column of Rechnungen.xlsx to be shown with two decimals and a euro sign. Can you do that?',
  'We need the café menu in menu.xlsx translated: no, just kidding, only put the prices of the sheet Menü in ascending order for me.',
  'Set the print area of plan.xlsx to A1:H40, landscape, one page wide, and repeat the header row on every page.',
  'Good morning, the file hours.ods has a column Überstunden; colour every cell of it red where the value is above 10. Thank you, Zoë',
];
const tricky = [
  'Well, well: it is a long, long list, and I need every single line of it in contacts.xlsx checked for an empty cell in Phone.',
  'Copy the row of January to February, the row of March to April and the row of May to June in plan.xlsx. Nothing else changes.',
  'For each of the shops North, South, East and West I want a sheet of its own in sales.xlsx that holds the rows of that shop',
  'Please rename the sheet Sheet1 of data.xlsx to Deliveries - Anna',
];
const chatter: [string, string][] = [
  ['a greeting of the assistant', 'Sure! Here is the instruction:\n\n'],
  ['a certainty', 'Certainly, here is a user message that fits the specification: '],
  ['a label', 'Instruction: '],
  ['a heading', '### User request\n\n'],
  ['an excuse', 'As an AI language model I cannot open files, but the user could say: '],
  ['an object', '{"instruction": "'],
];

export const languageCorpus: GateCorpus = {
  gate: language,
  async examples() {
    const bases = await basePackages();
    const texts = [...english, ...bases.map(({ instruction }) => instruction)];
    const planted = (kind: string, name: string, of: string, instruction: string): GateExample =>
      bad(kind, of, name, { inputs: { instruction } });
    return [
      ...[...texts, ...tricky].map((instruction, i) => good(`text ${i + 1}`, { inputs: { instruction } })),
      ...foreign
        .slice(0, 3)
        .map(([name, instruction], i) =>
          good(`${name}, as wanted`, { params: { language: at(['de', 'fr', 'es'], i) }, inputs: { instruction } }),
        ),
      ...foreign.map(([name, text]) => planted('another language', name, check.language, text)),
      planted('another language', 'English for German', check.language, at(texts, 1)),
      ...foreign
        .slice(0, 4)
        .map(([name, text], i) =>
          planted('half in another language', name, check.language, `${at(texts, i * 3)}\n\n${text}`),
        ),
      ...['Fix orders.xlsx.', 'Do the thing in team.csv please', 'Overview!'].map((text) =>
        planted('too short', text, check.length, text),
      ),
      ...[0, 9].map((i) =>
        planted(
          'too long',
          `text ${i}`,
          check.length,
          Array.from({ length: 9 }, (_, n) => at(texts, i + n).replaceAll('orders', `orders${n}`)).join('\n\n') +
            texts.join('\n'),
        ),
      ),
      ...chatter.map(([name, before], i) =>
        planted('talk around the message', name, check.alone, `${before}${at(texts, i * 2 + 1)}`),
      ),
      planted(
        'talk around the message',
        'a note after it',
        check.alone,
        `${at(texts, 4)}\n\nNote: this instruction does not reveal any hidden answers.`,
      ),
      planted('talk around the message', 'a code fence', check.alone, `\`\`\`\n${at(texts, 2)}\n\`\`\``),
      planted(
        'talk around the message',
        'a question back',
        check.alone,
        `${at(texts, 5)}\n\nLet me know if you would like me to adjust the tone!`,
      ),
      ...[0, 3, 10].map((i) =>
        planted(
          'loops',
          `text ${i}`,
          check.repeated,
          `${at(texts, i)} ${'And please make sure that it is saved. '.repeat(5)}`,
        ),
      ),
      planted('loops', 'a whole text twice', check.repeated, `${at(texts, 12)}\n\n${at(texts, 12)}`),
      planted('loops', 'words', check.repeated, `${at(texts, 1)} Save the file the file the file the file the file.`),
      ...[
        'and then the sheet with the',
        'because of the totals that',
        'Also, make sure to',
        'so that every line is sorted by',
      ].map((tail, i) => planted('breaks off', tail, check.ends, `${at(texts, i * 4)} ${tail}`)),
      planted('breaks off', 'a comma', check.ends, `${at(texts, 6)} Finally,`),
      planted(
        'broken characters',
        'read as Latin-1',
        check.characters,
        `${at(texts, 0)} Thank you, ZoÃ« from the cafÃ©.`,
      ),
      planted('broken characters', 'quotes', check.characters, `${at(texts, 1)} Itâ€™s needed today.`),
      planted('broken characters', 'replacement', check.characters, `${at(texts, 2)} Thank you, Zo\uFFFD.`),
      planted('broken characters', 'control', check.characters, `${at(texts, 3)}\u0007 Thank you.`),
    ].map((example) => (example.name === 'English for German' ? { ...example, params: { language: 'de' } } : example));
  },
};
