/** Files of results through the journal's JSON and back, with n8n's own storage of files. */
import { randomBytes } from 'node:crypto';
import { isOmittedResult } from '../../nodes/shared/omitted-result';
import { KEPT_IN_JOURNAL_BYTES, keepFiles, remakeFiles } from '../../nodes/shared/stored-binary';
import { toItems, type StoredItem } from '../../nodes/shared/stored-items';
import { inNode } from './in-node';
import { setBinaryMode, type BinaryMode } from './n8n-binary-data';

const keep = async (files: Record<string, Buffer>) =>
	await inNode(async ({ helpers }) => {
		const binary: NonNullable<StoredItem['binary']> = {};
		for (const [name, bytes] of Object.entries(files))
			binary[name] = await helpers.prepareBinaryData(bytes, `${name}.pdf`, 'application/pdf');
		return JSON.parse(
			JSON.stringify(await keepFiles(helpers, [{ json: { id: 7 }, binary }])),
		) as unknown;
	});

/** The files as another execution reads them, or undefined where they are gone. */
const readAgain = async (stored: unknown) =>
	await inNode(async ({ helpers }) => {
		const items = await remakeFiles(helpers, toItems(stored));
		if (!items) return undefined;
		const read = [];
		for (const { json, binary } of items) {
			const files: Record<string, unknown> = {};
			for (const [name, file] of Object.entries(binary ?? {}))
				files[name] = {
					name: file.fileName,
					type: file.mimeType,
					bytes: await helpers.getBinaryDataBuffer(0, file),
				};
			read.push({ json, files });
		}
		return read;
	});

const SMALL = randomBytes(70_000);
const LARGE = randomBytes(KEPT_IN_JOURNAL_BYTES + 1);

let prune: () => Promise<void>;
afterEach(async () => await prune());

describe.each<BinaryMode>(['default', 'filesystem'])('mode %s', (mode) => {
	beforeEach(async () => (prune = await setBinaryMode(mode)));

	it('a small file is in the journal, and whole again after n8n lost it', async () => {
		const stored = await keep({ invoice: SMALL, empty: Buffer.alloc(0) });
		await prune();
		expect(await readAgain(stored)).toEqual([
			{
				json: { id: 7 },
				files: {
					invoice: { name: 'invoice.pdf', type: 'application/pdf', bytes: SMALL },
					empty: { name: 'empty.pdf', type: 'application/pdf', bytes: Buffer.alloc(0) },
				},
			},
		]);
	});
});

describe('a file larger than the journal takes', () => {
	it('is a result that was not kept where n8n has it in memory only', async () => {
		prune = await setBinaryMode('default');
		expect(isOmittedResult(await keep({ large: LARGE }))).toBe(true);
	});

	it('is found again in n8n while it is there, beside a small one that is kept', async () => {
		prune = await setBinaryMode('filesystem');
		const stored = await keep({ large: LARGE, small: SMALL });
		expect(JSON.stringify(stored).length).toBeLessThan(SMALL.length * 2);
		const [item] = (await readAgain(stored))!;
		const { large, small } = item!.files as Record<string, { bytes: Buffer }>;
		// jest compares buffers byte by byte, for twenty seconds.
		expect([large!.bytes.equals(LARGE), small!.bytes.equals(SMALL)]).toEqual([true, true]);
	});

	it('says that it is gone when it is, or when something else is in its place', async () => {
		prune = await setBinaryMode('filesystem');
		const [stored] = toItems(await keep({ large: LARGE }));
		const other = { ...stored!.binary!.large!, sha256: '0'.repeat(64) };
		expect(await readAgain([{ ...stored, binary: { large: other } }])).toBeUndefined();
		await prune();
		expect(await readAgain([stored])).toBeUndefined();
	});
});

it('files that the workflow keeps in the JSON are found there', async () => {
	prune = await setBinaryMode('filesystem');
	const stored = await inNode(async ({ helpers }) => {
		const file = await helpers.prepareBinaryData(SMALL, 'a.bin', 'application/pdf');
		return await keepFiles(helpers, [{ json: { id: 7, _files: { data: file as never } } }]);
	});
	await prune();
	expect(await readAgain(stored)).toEqual([
		{ json: { id: 7 }, files: { data: expect.objectContaining({ bytes: SMALL }) } },
	]);
});

it('what a person enters may hold a file', async () => {
	prune = await setBinaryMode('default');
	const content = Buffer.from('paid').toString('base64');
	expect(await readAgain([{ json: {}, binary: { data: { content } } }])).toEqual([
		{
			json: {},
			files: {
				data: { name: undefined, type: 'application/octet-stream', bytes: Buffer.from('paid') },
			},
		},
	]);
});
