import '@xyflow/react/dist/style.css';
import { type Edge, type Node, ReactFlow, useEdgesState, useNodesState } from '@xyflow/react';
import { createRoot } from 'react-dom/client';

interface Picture {
  nodes: Node[];
  edges: Edge[];
}

const query = new URLSearchParams(location.search);

/** React Flow with its own nodes and edges and nothing else; `?visible` mounts only what is in view, `?fit` starts with all of it. */
function Bare({ picture }: { picture: Picture }) {
  const [nodes, , onNodesChange] = useNodesState(picture.nodes);
  const [edges, , onEdgesChange] = useEdgesState(picture.edges);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onlyRenderVisibleElements={query.has('visible')}
      minZoom={0.05}
      fitView={query.has('fit')}
    />
  );
}

const picture = (await (await fetch('picture.json')).json()) as Picture;
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(<Bare picture={picture} />);
