import { evaluate } from './evaluate.ts';
import { PreviewRequest } from './evaluate-messages.ts';

self.addEventListener('message', (event: MessageEvent<unknown>) => {
  const request = PreviewRequest.safeParse(event.data);
  if (request.success) void evaluate(request.data).then((answer) => self.postMessage(answer));
});
