-- Orders of the last six years are in this table.
ALTER TABLE orders ADD COLUMN currency char(3) NOT NULL;
CREATE INDEX orders_currency ON orders (currency);
