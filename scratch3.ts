import ExcelJS from 'exceljs';
for (const s of ['calc-monthly-summary','calc-conditional-formatting','calc-cross-sheet-lookup','calc-pdf-reconcile']) {
 const w = new ExcelJS.Workbook(); await w.xlsx.readFile(`skills/${s}/sample.xlsx`);
 for (const sh of w.worksheets) { let f=0; let ex=''; sh.eachRow(r=>r.eachCell(c=>{ if (c.formula) {f++; ex=c.formula+' '+JSON.stringify(c.result);} })); console.log(s, sh.name, sh.rowCount, f, ex); }
}
