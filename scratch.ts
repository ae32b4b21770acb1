import { taskGenerator } from './scripts/lib/generate-task.ts';
for (const skill of process.argv.slice(2)) {
const t = await taskGenerator(skill)(1);
console.log(skill, '\n', t.instruction);
console.log(JSON.stringify(t.pack.manifest, null, 1).slice(0,3000));
console.log(JSON.stringify(t.hidden.checks, null, 0).slice(0, 6000));
const rub = t.pack.files.find(f=>f.path==='rubric.json');
console.log(new TextDecoder().decode(await t.read(rub!.file)));
console.log(JSON.stringify(t.hidden.answers).slice(0,1500));
console.log(JSON.stringify(t.hidden.solution?.solution).slice(0,1500), t.hidden.solution?.files.map(f=>f.path+' '+f.text.length));
console.log(JSON.stringify(t.hidden.expected).slice(0,2500));
}
