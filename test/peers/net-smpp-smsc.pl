#!/usr/bin/perl
# An SMSC on Perl's Net::SMPP, for one connection: takes a bind and submits, and for each submit sends a receipt in the layout of
# SMPP 3.4 appendix B. A text of "REPLY …" is also answered as by the handset. What it read goes to standard output, one JSON
# object a line; the first line names the port, which the operating system chooses.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34, timeout => 30)
    or die "cannot listen: $!";
print '{"port":' . $listener->sockport . "}\n";
my $esme = $listener->accept or die "nobody came: $!";
$esme->set_version(0x34);

sub hex_of { return unpack 'H*', $_[0] // '' }

my $messages = 0;
while (my $pdu = $esme->read_pdu) {
    my $command = Net::SMPP::pdu_tab->{ $pdu->{cmd} }{cmd} // '';
    if ($command eq 'bind_transceiver') {
        printf qq({"command":"%s","system_id":"%s","password":"%s"}\n), $command, $pdu->{system_id}, $pdu->{password};
        $esme->bind_transceiver_resp(seq => $pdu->{seq}, system_id => 'NET-SMPP');
    }
    elsif ($command eq 'submit_sm') {
        $messages += 1;
        my $id = 255 + $messages;
        printf qq({"command":"%s","source":"%s","destination":"%s","esm_class":%d,"data_coding":%d,"octets":"%s","reference":"%s"}\n),
            $command, $pdu->{source_addr}, $pdu->{destination_addr}, $pdu->{esm_class}, $pdu->{data_coding},
            hex_of($pdu->{short_message}), hex_of($pdu->{user_message_reference});
        # The id is hexadecimal in the answer and decimal in the receipt, as many SMSCs have it.
        $esme->submit_sm_resp(seq => $pdu->{seq}, message_id => sprintf('%X', $id));
        $esme->deliver_sm(
            async            => 1,
            source_addr      => $pdu->{destination_addr},
            destination_addr => $pdu->{source_addr},
            esm_class        => 0x04,
            short_message    => sprintf(
                'id:%010d sub:001 dlvrd:001 submit date:2601021504 done date:2601021505 stat:DELIVRD err:000 text:', $id),
        );
        if (($pdu->{short_message} // '') =~ /^REPLY (.*)/) {
            $esme->deliver_sm(
                async            => 1,
                source_addr      => $pdu->{destination_addr},
                destination_addr => '32811',
                short_message    => $1,
            );
        }
    }
    elsif ($command eq 'deliver_sm_resp') {
        printf qq({"command":"%s","status":%d}\n), $command, $pdu->{status};
    }
    elsif ($command eq 'enquire_link') {
        print qq({"command":"$command"}\n);
        $esme->enquire_link_resp(seq => $pdu->{seq});
    }
    elsif ($command eq 'unbind') {
        print qq({"command":"$command"}\n);
        $esme->unbind_resp(seq => $pdu->{seq});
        last;
    }
}
