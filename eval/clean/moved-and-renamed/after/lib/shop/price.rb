module Price
  RATE = 19

  def self.gross(net_cents)
    net_cents + (net_cents * RATE / 100.0).round
  end

  def self.format(cents)
    Kernel.format("%d.%02d", cents / 100, cents % 100)
  end
end
