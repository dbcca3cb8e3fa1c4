import { checkSecret } from '../../../service/journal/check-secret';
import { fakeJournal } from '../../fake-journal';

test('a database keeps to the secret it was begun with', async () => {
	const { journal, close } = fakeJournal();
	await checkSecret(journal);
	await expect(checkSecret(journal)).resolves.toBeUndefined();
	const other = { ...journal, secret: Buffer.from('another secret of 32 bytes, here') };
	await expect(checkSecret(other)).rejects.toThrow(/^JOURNAL_SECRET is not the one/);
	await close();
});
