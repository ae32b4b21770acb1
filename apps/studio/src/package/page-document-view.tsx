import type { PageBlock, PageDocument } from '@cua-forge/spec/page-document';
import { Rows } from './rows.tsx';

/** The blocks of a PDF in their order, as its preparer laid them out. */
export function PageDocumentView({ document }: { document: PageDocument }) {
  return (
    <article className="paper" aria-label={document.title}>
      {document.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
        <Block key={index} block={block} />
      ))}
      {document.footer !== undefined && <p className="muted small">Footer: {document.footer}</p>}
    </article>
  );
}

function Block({ block }: { block: PageBlock }) {
  switch (block.type) {
    case 'heading':
      return (
        <p className="paper-heading level-2" style={{ textAlign: block.align }}>
          {block.text}
        </p>
      );
    case 'text':
      return <p style={{ textAlign: block.align, fontWeight: block.bold ? 650 : undefined }}>{block.text}</p>;
    case 'columns':
      return (
        <div className="paper-columns">
          {block.columns.map(({ lines, align }) => (
            <p key={lines.join()} style={{ textAlign: align }}>
              {lines.join('\n')}
            </p>
          ))}
        </div>
      );
    case 'table':
      return <Rows rows={[block.columns.map(({ name }) => name), ...block.rows]} />;
    case 'rule':
    case 'page-break':
      return <hr />;
    case 'space':
      return null;
  }
}
