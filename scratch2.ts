import { taskGenerator } from './scripts/lib/generate-task.ts';
import { preparedState } from './scripts/lib/prove-task.ts';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import ExcelJS from 'exceljs';
const t = await taskGenerator('calc-monthly-summary')(20);
console.log(t.pack.manifest.traits);
const [path, bytes] = [...preparedState(t)][0]!;
const lo = new LibreOffice('soffice');
const saved = await lo.convert('a.xlsx', bytes, 'xlsx', new AbortController().signal);
const load = async (b: Uint8Array) => { const w = new ExcelJS.Workbook(); await w.xlsx.load(Uint8Array.from(b).buffer); return w; };
const [a, b] = [await load(bytes), await load(saved)];
const [s, r] = [a.getWorksheet('Records')!, b.getWorksheet('Records')!];
let n=0;
for (let row=1; row<=150; row++) for (let c=1;c<=20;c++){ const x=s.getCell(row,c), y=r.getCell(row,c); const v=(q:any)=>q.formula?[q.formula,q.result]:q.value; if (JSON.stringify(v(x))!==JSON.stringify(v(y)) && n++<12) console.log(x.address, JSON.stringify(v(x)), JSON.stringify(v(y)), s.getCell(1,c).value); }
console.log(n);
console.log(JSON.stringify((t.spec.files[0] as any).content.sheets[0].rows.slice(0,3)), JSON.stringify((t.spec.files[0] as any).content.sheets[0].columns));
