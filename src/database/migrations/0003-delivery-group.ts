/**
 * Deliveries that were written in one commit are one row: on the embedded engine a row costs more than what is in it. The
 * table `delivery` stays for versions before this one; the store moves what they leave there.
 */
export const deliveryGroup = {
  name: "0003-delivery-group",
  statements: [
    `create table delivery_group (
      number bigint generated always as identity primary key,
      instance text not null,
      count integer not null,
      deliveries json not null
    )`,
  ],
} as const;
