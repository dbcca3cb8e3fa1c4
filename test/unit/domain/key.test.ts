import { fingerprint, gateKey, ownStepKey, stepKey } from '../../../service/domain/key';

/** Made with Python's hashlib and json (sorted keys, no white space), so by other code than ours. */
test.each([
	[
		stepKey,
		'order-1',
		'invoice',
		{},
		'd627a887ed8445afaccc5c550a7dd57f6e1bb20c91021bb9d6eb29174330646b',
	],
	[
		stepKey,
		'order-1',
		'invoice',
		{ amount: 490 },
		'489a1b19e2f27b7592624e196f8b2f4a6c037d3050d2fe96c650ec13784bb269',
	],
	[
		stepKey,
		'order-1',
		'invoice',
		{ b: 1, a: [1, 2, null, true] },
		'4bda4a0ad3f1973ae7612d06b160899240c28bc5cf762c0463f0d530303814d0',
	],
	[
		stepKey,
		'order-1',
		'invoice',
		null,
		'ede330751bc7efb504744da18f1ad16b49ec20b463b5820cd76dd00195e2cead',
	],
	[
		stepKey,
		'order-1',
		'invoice',
		'',
		'24be8434843cf64139c204adb619b717f9d12b7846c459be6fbacfddeb543f9a',
	],
	[
		stepKey,
		'order-2',
		'wf1/node-1',
		{ text: 'Ñandú € 😀', nl: 'a\nb' },
		'1d29489c8b153232ac76d3e82ef7ac56cb2c3bd22610aecf7cf977cea0669d70',
	],
	[
		stepKey,
		'r',
		's',
		[{ z: 1.5, y: 'x' }],
		'67ff54dc4dbdb45f2fd683de1eca73e772a0753744784fc8587d0559fca4b4e2',
	],
	[
		stepKey,
		'r',
		's',
		{ amount: 4.5, n: -3 },
		'e55d6d4301f7644d74be65b627fad8061a6ef5025d83326a819c1252cd72d66e',
	],
	[
		ownStepKey,
		'order-1',
		'invoice',
		'INV-7',
		'6412ed6892889b8c20cc68cac9916dc19b53d0819ad6f67f83317282bfe70e55',
	],
	[
		ownStepKey,
		'order-1',
		'invoice',
		'café',
		'c03d9f5bd6d37884d76b3c5bc9858e35c2bad34c48eeff5b9d0157bc9d3a0648',
	],
	[
		gateKey,
		'order-1',
		'approve',
		{ amount: 490 },
		'0956f6f09d10fd092e7ac78816465fc6ed1f91bb0e6fc4b0f639d9418124b807',
	],
	[
		gateKey,
		'order-1',
		'approve',
		{},
		'c0f4f762d5cc60a7171a6ce9f609a9e4b1d83b86935ada8916f0054478089ee3',
	],
] as Array<[(run: string, name: string, input: never) => string, string, string, unknown, string]>)(
	'key %#',
	(keyOf, run, name, input, expected) => {
		expect(keyOf(run, name, input as never)).toBe(expected);
	},
);

test('the order of members does not matter, their values do', () => {
	expect(stepKey('r', 's', { a: 1, b: 2 })).toBe(stepKey('r', 's', { b: 2, a: 1 }));
	expect(stepKey('r', 's', { a: 1 })).not.toBe(stepKey('r', 's', { a: '1' }));
	expect(fingerprint({ a: undefined })).toBe(fingerprint({}));
	expect(fingerprint({ a: null })).not.toBe(fingerprint({}));
});
