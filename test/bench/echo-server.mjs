/** The least an HTTP round trip with JSON costs here: a bare node:http server, in its own process. */
import { createServer } from 'node:http';

createServer((incoming, answer) => {
	let body = '';
	incoming.setEncoding('utf8');
	incoming.on('data', (chunk) => (body += chunk));
	incoming.on('end', () => {
		answer.writeHead(200, { 'content-type': 'application/json' });
		answer.end(JSON.stringify(JSON.parse(body)));
	});
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
