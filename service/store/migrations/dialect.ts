/** The words in which the stores differ when tables are made; everything else they share. */
export interface Dialect {
	/** 64-bit integer. */
	readonly int: string;
	/** An integer primary key that the store gives. */
	readonly id: string;
	/** The same, and never given again after its row is gone. */
	readonly lastingId: string;
	/** Behind a table that is stored in the order of its primary key, where the store can. */
	readonly clustered: string;
	/** Behind a table whose rows change often: room for their next version beside them, where it is needed. */
	readonly changing: string;
}

export const SQLITE: Dialect = {
	int: 'INTEGER',
	id: 'INTEGER PRIMARY KEY',
	lastingId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
	clustered: ' WITHOUT ROWID',
	changing: '',
};

export const POSTGRES: Dialect = {
	int: 'BIGINT',
	id: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	lastingId: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	clustered: '',
	changing: ' WITH (fillfactor = 50)',
};
