import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256OfStream } from '../../../nodes/shared/sha256-stream';

const ofText = async (text: string) => (await sha256OfStream([Buffer.from(text)])).sha256;

it.each([
	['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
	['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
	[
		'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
		'248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
	],
])('FIPS 180-4: "%s"', async (text, digest) => {
	expect(await ofText(text)).toBe(digest);
});

it('is the same however the bytes are cut', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 })), async (chunks) => {
			const whole = Buffer.concat(chunks);
			expect(await sha256OfStream(chunks)).toEqual({
				sha256: createHash('sha256').update(whole).digest('hex'),
				bytes: whole.length,
			});
		}),
	);
});
