import type { MarkdownContent, RequiredFile } from '@cua-forge/spec/task';
import type { TextDocument } from '@cua-forge/spec/text-document';
import { runsText } from '@cua-forge/spec/text-document';
import { TreeValue } from '../values/json-tree.tsx';
import { TableView, WorkbookView } from '../values/table-view.tsx';
import { PageDocumentView } from './page-document-view.tsx';
import { Rows } from './rows.tsx';

/** What a file holds, the way people read it: sheets as grids, documents and pages as such. */
export function FileContent({ file }: { file: RequiredFile }) {
  switch (file.type) {
    case 'xlsx':
      return <WorkbookView workbook={file.content} />;
    case 'csv':
      return <TableView table={file.content} />;
    case 'text':
      return <pre className="text-value">{file.content}</pre>;
    case 'docx':
      return <TextDocumentView document={file.content} />;
    case 'pdf':
      return <PageDocumentView document={file.content} />;
    case 'md':
      return <MarkdownView blocks={file.content} />;
    case 'json':
      return <TreeValue value={file.content} />;
  }
}

const headingLevel = (style: string): number | null => {
  if (style === 'Title') return 1;
  const level = /^Heading (\d)$/.exec(style)?.[1];
  return level === undefined ? null : Number(level);
};

function TextDocumentView({ document }: { document: TextDocument }) {
  const margins = [...document.header, ...document.footer].map(({ runs }) => runsText(runs)).filter(Boolean);
  return (
    <article className="paper" aria-label="Document">
      {document.blocks.map((block, index) => {
        const key = `${index}`;
        if (block.type === 'image')
          return <img key={key} src={`data:image/png;base64,${block.png}`} alt={block.name} width={block.width} />;
        if (block.type === 'table')
          return <Rows key={key} rows={block.rows.map((row) => row.map(({ runs }) => runsText(runs)))} />;
        const level = headingLevel(block.style);
        const text = block.runs.map((run, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: runs of text have no identity but their order
            key={at}
            style={{
              fontWeight: run.bold === true ? 650 : undefined,
              fontStyle: run.italic === true ? 'italic' : undefined,
              textDecoration: run.underline === true ? 'underline' : undefined,
            }}
          >
            {run.field === undefined ? run.text : `{${run.field}}`}
          </span>
        ));
        if (level !== null)
          return (
            <p key={key} className={`paper-heading level-${Math.min(level, 3)}`}>
              {text}
            </p>
          );
        const { list } = block;
        return (
          <p
            key={key}
            style={{ textAlign: block.align, paddingLeft: list === undefined ? undefined : 18 * (list.level + 1) }}
          >
            {list !== undefined && <span className="muted">{list.kind === 'bullet' ? '• ' : '# '}</span>}
            {text}
          </p>
        );
      })}
      {margins.length > 0 && <p className="muted small">Header and footer: {margins.join(' · ')}</p>}
    </article>
  );
}

function MarkdownView({ blocks }: { blocks: MarkdownContent }) {
  return (
    <article className="paper" aria-label="Document">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
        <MarkdownBlock key={index} block={block} />
      ))}
    </article>
  );
}

/** Inline Markdown stays as it is written. */
function MarkdownBlock({ block }: { block: MarkdownContent[number] }) {
  switch (block.type) {
    case 'heading':
      return <p className={`paper-heading level-${Math.min(block.level, 3)}`}>{block.text}</p>;
    case 'paragraph':
      return <p>{block.text}</p>;
    case 'quote':
      return <blockquote>{block.text}</blockquote>;
    case 'list':
      return block.ordered ? <ol>{block.items.map(item)}</ol> : <ul>{block.items.map(item)}</ul>;
    case 'tasks':
      return <ul>{block.items.map(({ text, done }) => item(`${done ? '☑' : '☐'} ${text}`))}</ul>;
    case 'code':
      return <pre className="text-value">{block.text}</pre>;
    case 'table':
      return <TableView table={block} />;
    case 'rule':
      return <hr />;
  }
}

const item = (text: string) => <li key={text}>{text}</li>;
