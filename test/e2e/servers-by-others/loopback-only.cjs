/** Preloaded into a server that can be told a port but no address: it listens on loopback all the same. */
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...more) {
	const named = typeof port === 'object' || typeof more[0] === 'string';
	return named ? listen.call(this, port, ...more) : listen.call(this, port, '127.0.0.1', ...more);
};
